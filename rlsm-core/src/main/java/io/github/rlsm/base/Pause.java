// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends a thread for a time, or until another thread has ended. An interrupt does not end the
 * pause and is not lost. Unlike this class, {@code parkNanos} returns at once in an interrupted
 * thread. The thread would not be delayed, or would spin if it waits in a loop.
 */
public final class Pause {

  private Pause() {}

  /**
   * Parks the thread for about the given time, or longer if the thread is interrupted. The
   * interrupt stays pending.
   *
   * @param blocker the object that the thread waits for, shown in thread dumps
   */
  public static void nanos(Object blocker, long nanos) {
    boolean wasInterrupted = Thread.interrupted();
    if (wasInterrupted) {
      LockSupport.parkNanos(blocker, 1); // consumes the permit that the interrupt left
    }
    boolean isCutShort;
    do {
      LockSupport.parkNanos(blocker, nanos);
      isCutShort = Thread.interrupted();
      wasInterrupted |= isCutShort;
    } while (isCutShort);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a signal of a condition, at most for about the given time. An interrupt does not end
   * the wait, and stays pending. The caller holds the condition's lock.
   */
  public static void untilSignal(Condition condition, long nanos) {
    boolean wasInterrupted = Thread.interrupted();
    long left = nanos;
    while (left > 0) {
      try {
        condition.awaitNanos(left);
        left = 0;
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns when the given thread has ended. An interrupt of the caller stays pending. Must not be
   * called by the given thread itself: it would never return.
   */
  public static void untilEnded(Thread thread) {
    boolean wasInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
