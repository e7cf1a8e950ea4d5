// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Where threads wait for flushes to bring something about.
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
   * Returns once something is so.
   *
   * @param done asked again after every {@link #signal}
   * @throws io.github.rlsm.kv.StoreFailedException if no flush will come any more
   * @throws io.github.rlsm.kv.ResourceExhaustedException if the flush failed and waits to be tried
   *     again
   * @throws StoreClosedException if the store is being closed
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

  /** A flush is done, or has failed. */
  void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody wait any more. */
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
