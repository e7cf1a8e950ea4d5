// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.util.Map;

/**
 * A store under measurement: the few operations that every one of the compared engines has.
 *
 * <p>Threads: {@link #openSession()} may be called from any thread; the rest is called by one
 * thread while no session is in use.
 */
public interface BenchStore extends AutoCloseable {

  /** A client's access to the store; each client thread has its own. */
  Session openSession();

  /**
   * Writes what the store holds back in memory to its place on disk and waits until its background
   * work has drained.
   *
   * @return nanoseconds from the call to the end of the background work; less than the call took
   *     for a store that can only be seen to have become quiet
   */
  long settle();

  /** The store's own figures, for the raw result. */
  Map<String, String> statistics();

  /** Closes the store; what was written is found again when it is opened. */
  @Override
  void close();
}
