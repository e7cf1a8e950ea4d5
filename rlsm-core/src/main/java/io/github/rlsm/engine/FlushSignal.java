// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A condition on which threads wait for flushes.
 *
 * <p>Threads: any.
 */
final class FlushSignal {

  private final BackgroundError errors;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closing; // guarded by lock

  FlushSignal(BackgroundError errors) {
    this.errors = errors;
    errors.whenChanged(this::signal);
  }

  /**
   * Waits for a condition.
   *
   * @param done evaluated again after every {@link #signal}
   * @throws io.github.rlsm.kv.StoreFailedException if the store is read-only, so no flush will
   *     follow
   * @throws io.github.rlsm.kv.ResourceExhaustedException if the flush failed and waits for its
   *     retry
   * @throws StoreClosedException if the store is closing
   */
  void awaitUntil(BooleanSupplier done) {
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (closing) {
          throw new StoreClosedException("store");
        }
        errors.check();
        errors.checkNotWaiting(Activity.FLUSH, "wait for the flush that makes room in memory");
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all waiting threads. Called when a flush has finished or failed. */
  void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes all current and later waits fail. */
  void close() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
