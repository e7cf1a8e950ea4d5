// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far the history survives power loss, and the group commit that moves it: of all threads that
 * wait, one forces the log for everything published so far, and that one force serves them all.
 *
 * <p>Threads: any. The lock is held while deciding who forces, never during the force itself.
 */
public final class DurableSeqno {

  /** Forces the log. */
  @FunctionalInterface
  public interface Force {

    /**
     * Makes every published record durable in both streams.
     *
     * @return the seqno below which everything is durable now
     */
    long force();
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition forced = lock.newCondition();
  private final Force force;

  private boolean forcing; // guarded by lock
  private volatile long mark; // written under lock

  /** A history that is durable up to {@code start}. */
  public DurableSeqno(long start, Force force) {
    this.mark = start;
    this.force = force;
  }

  /** The seqno below which everything is durable. */
  public long get() {
    return mark;
  }

  /**
   * Returns once everything below {@code seqno}, all of which must be published, is durable.
   *
   * <p>An interrupt neither ends the wait nor gets lost.
   */
  public void awaitAtLeast(long seqno) {
    while (mark < seqno) {
      if (becomeLeader(seqno)) {
        lead();
      }
    }
  }

  /** Waits until durable, or until it is this thread's turn to force. */
  private boolean becomeLeader(long seqno) {
    lock.lock();
    try {
      while (forcing && mark < seqno) {
        forced.awaitUninterruptibly();
      }
      if (mark >= seqno) {
        return false;
      }
      forcing = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    long reached = mark;
    try {
      reached = force.force();
    } finally {
      lock.lock();
      try {
        forcing = false;
        mark = Math.max(mark, reached);
        forced.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
