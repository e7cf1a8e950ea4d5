// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.CommitDependencies;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.thread.Environment;

/**
 * Opens one of several stores that share cross-shard batches, in two steps. First each store
 * reports its parts. Then the caller, who knows the parts of all stores, decides where each history
 * ends.
 *
 * <p>Threads: one at a time.
 */
public final class EnginePreparation implements AutoCloseable {

  private final EngineOpening opening;
  private boolean isOver;

  /**
   * Locks the directory and reads the manifest.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then all resources are released
   */
  public EnginePreparation(
      StoreDirectory directory, EngineSettings settings, Environment environment) {
    opening = new EngineOpening(directory, settings, environment);
  }

  /** Finds the store's parts of cross-shard batches, and makes them durable. */
  public PartTail survey() {
    return opening.survey();
  }

  /**
   * Opens the store. Releases everything if that fails.
   *
   * @param end the seqno of the part before which the history ends, durably;
   *     {@link io.github.rlsm.log.LogRecovery#TO_THE_END} to keep the whole history
   * @param dependencies the other stores
   */
  public Engine open(long end, CommitDependencies dependencies) {
    try {
      Engine engine = opening.proceed(opening.recover(end), dependencies);
      isOver = true;
      return engine;
    } catch (RuntimeException | Error e) {
      isOver = true;
      opening.abandon(e);
      throw e;
    }
  }

  /** Releases the store unless it was opened. */
  @Override
  public void close() {
    if (!isOver) {
      isOver = true;
      RuntimeException failure =
          new IllegalStateException("a store that was not opened failed to close");
      opening.abandon(failure);
      if (failure.getSuppressed().length > 0) {
        throw failure;
      }
    }
  }
}
