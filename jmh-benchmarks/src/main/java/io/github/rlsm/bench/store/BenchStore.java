// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.util.Map;

/**
 * A store under measurement. Has the few operations that all compared engines support.
 *
 * <p>Threads: {@link #openSession()} may be called by any thread. All other methods are called by
 * one thread while no session is in use.
 */
public interface BenchStore extends AutoCloseable {

  /** Opens a client's session. Each client thread has its own. */
  Session openSession();

  /**
   * Flushes the store's memory to disk and waits until its background work has ended.
   *
   * @return nanoseconds from the call to the end of the background work. This is less than the
   *     duration of the call for a store whose end of work can only be seen afterwards.
   */
  long settle();

  /** The store's own figures, for the raw result. */
  Map<String, String> statistics();

  /** Closes the store. A later opening finds all written data. */
  @Override
  void close();
}
