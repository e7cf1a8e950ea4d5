// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Tracks how much of the history survives a power loss, and runs the group commits that advance it.
 * One of the waiting threads forces the log for everything published so far, which serves all of
 * them.
 *
 * <p>Without further measures, threads that write in a loop split into two groups that alternate.
 * While one force runs, the threads that the last force served write again, too late for the
 * running one. So a thread that is about to force first waits until as many threads have arrived as
 * were present when the last force ended. It waits at most half the time of that force. A thread
 * that was alone does not wait.
 *
 * <p>Threads: any. The thread that sets {@code forcing} leads the group commit; only the leader
 * accesses the state of the last force. The lock is for threads that have stopped yielding and
 * sleep. It is never held during a force.
 *
 * <p>Keeps invariant I-2 of ARCHITECTURE.md.
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

  /** A force on a fast device ends sooner than a sleeping thread would wake up. */
  private static final long YIELD_NANOS_MAX = 100_000;

  /** Limits a wait even if a yield takes almost no time, or if the clock is stopped. */
  private static final int YIELDS_MAX = 300;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition forced = lock.newCondition();
  private final Force force;
  private final LongSupplier nanoClock;

  private final AtomicBoolean forcing = new AtomicBoolean();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private volatile long mark; // written by the leader

  // The state of the last force; only the leader reads and writes it.

  /** How many threads had ever arrived when the last force began. */
  private long arrivedBefore;

  /** How many threads were present when the last force ended, served or not. */
  private long waitersAfterForce;

  private long forceNanos;

  /** Begins with a history that is durable up to {@code start}. */
  public DurableSeqno(long start, Force force, LongSupplier nanoClock) {
    this.mark = start;
    this.force = force;
    this.nanoClock = nanoClock;
  }

  /** The seqno below which everything is durable. */
  public long get() {
    return mark;
  }

  /**
   * Waits until everything below {@code seqno} is durable. All of it must be published.
   *
   * <p>An interrupt neither ends the wait nor is lost.
   */
  public void awaitAtLeast(long seqno) {
    if (mark >= seqno) {
      return;
    }
    arrived.incrementAndGet();
    try {
      while (mark < seqno) {
        if (forcing.compareAndSet(false, true)) {
          lead(seqno);
        } else {
          awaitForce(seqno);
        }
      }
    } finally {
      left.incrementAndGet();
    }
  }

  /** Waits until the running force ends, or the mark reaches {@code seqno}. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint only; after a short while the thread sleeps
  private void awaitForce(long seqno) {
    long began = nanoClock.getAsLong();
    for (int i = 0; i < YIELDS_MAX && nanoClock.getAsLong() - began < YIELD_NANOS_MAX; i++) {
      if (mark >= seqno || !forcing.get()) {
        return;
      }
      Thread.yield();
    }
    lock.lock();
    try {
      while (forcing.get() && mark < seqno) {
        forced.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void lead(long seqno) {
    try {
      if (mark >= seqno) {
        return; // served by a force that ended just before this thread began to lead
      }
      gather();
      arrivedBefore = arrived.get();
      long began = nanoClock.getAsLong();
      long reached = force.force();
      forceNanos = nanoClock.getAsLong() - began;
      waitersAfterForce = arrived.get() - left.get(); // before the new mark releases any thread
      mark = Math.max(mark, reached);
    } finally {
      forcing.set(false);
      lock.lock();
      try {
        forced.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits for the threads that the last force served to arrive again. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint only, and bounded
  private void gather() {
    long wanted = arrivedBefore + waitersAfterForce;
    long nanosMax = Math.min(forceNanos / 2, YIELD_NANOS_MAX);
    long began = nanoClock.getAsLong();
    for (int i = 0; i < YIELDS_MAX && arrived.get() < wanted; i++) {
      if (nanoClock.getAsLong() - began >= nanosMax) {
        return;
      }
      Thread.yield();
    }
  }
}
