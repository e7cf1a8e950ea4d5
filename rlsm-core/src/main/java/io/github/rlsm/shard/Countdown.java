// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * Lets threads wait until a number of events have happened. Unlike a {@code CountDownLatch} it is
 * not cut short by an interrupt, which stays pending. Threads: any.
 */
@SuppressWarnings("serial") // Never serialised.
final class Countdown extends AbstractQueuedSynchronizer {

  Countdown(int events) {
    setState(events);
  }

  /** One event has happened. Returns whether it was the last. */
  boolean down() {
    return releaseShared(1);
  }

  /** Parks until all have happened. What was done before them is seen after this. */
  void await() {
    acquireShared(1);
  }

  @Override
  protected int tryAcquireShared(int ignored) {
    return getState() == 0 ? 1 : -1;
  }

  @Override
  protected boolean tryReleaseShared(int ignored) {
    while (true) {
      int left = getState();
      if (left == 0) {
        return false;
      }
      if (compareAndSetState(left, left - 1)) {
        return left == 1;
      }
    }
  }
}
