// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.io.StoreDirectory;

/**
 * A store that is being opened together with others that it has batches in common with: where its
 * history ends is decided by all, once each has said what it has.
 *
 * <p>Threads: one at a time.
 */
public final class EnginePreparation implements AutoCloseable {

  private final EngineOpening opening;
  private boolean isOver;

  /**
   * Takes the directory, and reads the manifest.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then nothing is held
   */
  public EnginePreparation(
      StoreDirectory directory, EngineSettings settings, Environment environment) {
    opening = new EngineOpening(directory, settings, environment);
  }

  /** Finds the parts of batches over several stores that the store has, and makes them durable. */
  public PartTail survey() {
    return opening.survey();
  }

  /**
   * Opens the store, for good or, if it throws, not at all.
   *
   * @param end seqno of the part before which its history ends, durably;
   *     {@link io.github.rlsm.log.LogRecovery#TO_THE_END} if it is whole
   * @param companions the others
   */
  public Engine open(long end, Companions companions) {
    try {
      Engine engine = new Engine(opening.proceed(opening.recover(end), companions));
      isOver = true;
      return engine;
    } catch (RuntimeException | Error e) {
      isOver = true;
      opening.abandon(e);
      throw e;
    }
  }

  /** Lets go of the store, unless it was opened. */
  @Override
  public void close() {
    if (!isOver) {
      isOver = true;
      RuntimeException failure = new IllegalStateException("not opened");
      opening.abandon(failure);
      if (failure.getSuppressed().length > 0) {
        throw failure;
      }
    }
  }
}
