// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes, deletes or recycles resources whose last reader has left. Runs these tasks in the
 * background, and the rest of them when the store closes.
 *
 * <p>Threads: any.
 */
final class DeferredCleanup {

  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final Executor executor;
  private final BackgroundError errors;

  /** Tasks that were added and are not done. */
  private final AtomicInteger left = new AtomicInteger();

  private volatile Runnable whenDone = () -> {};

  /** Creates a queue whose tasks run on an executor. */
  DeferredCleanup(Executor executor, BackgroundError errors) {
    this.executor = executor;
    this.errors = errors;
  }

  /** Sets what to do each time when no task is left. */
  void whenDone(Runnable action) {
    whenDone = action;
  }

  /** Schedules a task. */
  void add(Runnable task) {
    left.incrementAndGet();
    waiting.add(task);
    executor.execute(this::run);
  }

  /**
   * Runs the waiting tasks. A failed task is not run again, since it may be partly done. The
   * resources that it did not release stay until the store is closed.
   */
  void run() {
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      attempt(task);
      if (left.decrementAndGet() == 0) {
        attempt(whenDone);
      }
    }
  }

  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      if (errors.report(e, BackgroundError.Activity.RELEASE)) {
        errors.worked(BackgroundError.Activity.RELEASE);
      }
    }
  }
}
