// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.version.PinCount;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What every operation passes, so that closing can wait for those under way and refuse those to
 * come.
 *
 * <p>Threads: any; passing takes no lock.
 */
final class Gate {

  private final PinCount inside = new PinCount();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition emptied = lock.newCondition();
  private boolean empty; // guarded by lock

  /**
   * Enters. Returns the stripe to leave by.
   *
   * @throws StoreClosedException if the gate is closed
   */
  int enter() {
    int stripe = PinCount.stripe();
    if (!inside.tryPin(stripe)) {
      throw new StoreClosedException("store");
    }
    return stripe;
  }

  void leave(int stripe) {
    if (inside.unpin(stripe)) {
      setEmpty();
    }
  }

  /** Lets nobody in any more and waits until nobody is inside. To be called once. */
  void closeAndAwait() {
    if (inside.retire()) {
      setEmpty();
    }
    lock.lock();
    try {
      while (!empty) {
        emptied.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void setEmpty() {
    lock.lock();
    try {
      empty = true;
      emptied.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
