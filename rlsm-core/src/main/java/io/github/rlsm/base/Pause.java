// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits for time to pass. An interrupt does not end the wait and is not lost. The method
 * {@code parkNanos} alone returns at once in an interrupted thread: the thread would not be held up
 * at all, or would spin if it waits in a loop.
 */
public final class Pause {

  private Pause() {}

  /**
   * Parks the thread for about that time; longer if it is interrupted, and the interrupt stays
   * pending.
   *
   * @param blocker the object that the thread waits for, shown in thread dumps
   */
  public static void nanos(Object blocker, long nanos) {
    boolean wasInterrupted = Thread.interrupted();
    if (wasInterrupted) {
      LockSupport.parkNanos(blocker, 1); // uses up the permit with which an interrupt ends a park
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
}
