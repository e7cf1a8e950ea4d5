// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * What is to be closed, deleted or used again because its last reader has gone: done in the
 * background, and what is left when the store closes, then.
 *
 * <p>Threads: any.
 */
final class Releases {

  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final Executor executor;
  private final Fatal fatal;

  /** Releases on an executor. */
  Releases(Executor executor, Fatal fatal) {
    this.executor = executor;
    this.fatal = fatal;
  }

  /** Has a task done soon. */
  void add(Runnable task) {
    waiting.add(task);
    executor.execute(this::run);
  }

  /** Does what is waiting. A file that cannot be closed or deleted makes the store read-only. */
  void run() {
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        fatal.set(e);
      }
    }
  }
}
