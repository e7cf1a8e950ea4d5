// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A latch that lets threads wait for a number of events. Unlike a {@code CountDownLatch}, it
 * ignores interrupts while waiting; an interrupt stays pending. Threads: any.
 */
@SuppressWarnings("serial") // Never serialized.
public final class Countdown extends AbstractQueuedSynchronizer {

  /** Creates a latch that waits for a number of events. */
  public Countdown(int events) {
    setState(events);
  }

  /** Reports one event. Returns whether it was the last. */
  public boolean down() {
    return releaseShared(1);
  }

  /** Parks until all events have happened. Actions before each event happen before the return. */
  public void await() {
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
