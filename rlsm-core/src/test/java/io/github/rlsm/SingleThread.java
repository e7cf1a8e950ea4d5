// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs a test of stores without background threads, as with an {@link InlineScheduler}. No other
 * thread can wake a wait of such a test, so a wait is a failure of the store, and not a reason to
 * hang.
 */
final class SingleThread {

  private static final long SAMPLE_MILLIS = 20;

  /** So many samples in a row must find the thread waiting. */
  private static final int SAMPLES = 5;

  private SingleThread() {}

  /**
   * Runs a task in a new thread, and waits for its end.
   *
   * @throws AssertionError if the task waits for another thread; its thread stays behind
   */
  static <T> T run(Supplier<T> task) {
    FutureTask<T> result = new FutureTask<>(task::get);
    Thread thread = new Thread(result, "single-thread");
    thread.setDaemon(true);
    thread.start();
    try {
      int waiting = 0;
      while (!result.isDone()) {
        thread.join(SAMPLE_MILLIS);
        waiting = thread.getState() == Thread.State.WAITING ? waiting + 1 : 0;
        if (waiting == SAMPLES) {
          AssertionError stuck = new AssertionError("waits without end for another thread");
          stuck.setStackTrace(thread.getStackTrace());
          throw stuck;
        }
      }
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
