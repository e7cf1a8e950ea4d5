// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How far the history survives power loss, and the group commit that moves it: of all threads that
 * wait, one forces the log for everything published so far, and that one force serves them all.
 *
 * <p>Left alone, threads that write in a loop fall into two groups that take turns: while one force
 * is under way those that the last one served write again, just too late for it. So who is about to
 * force first lets as many arrive as were there when the last force ended, for no longer than half
 * of what that force took. Who was alone waits for nobody.
 *
 * <p>Threads: any. Whoever sets {@code forcing} leads, and alone touches what the last force left.
 * The lock is for those who gave up yielding and sleep; it is never held during a force.
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

  /** A force on a fast device is over sooner than a sleeping thread would be awake again. */
  private static final long YIELD_NANOS_MAX = 100_000;

  /** Bounds a wait also where yielding takes next to no time, or the clock stands still. */
  private static final int YIELDS_MAX = 300;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition forced = lock.newCondition();
  private final Force force;
  private final LongSupplier nanoClock;

  private final AtomicBoolean forcing = new AtomicBoolean();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private volatile long mark; // written by who leads

  // What the last force found; read and written by who leads.

  /** How many had arrived ever when it began. */
  private long arrivedBefore;

  /** How many were there when it ended, served or not. */
  private long crowd;

  private long forceNanos;

  /** A history that is durable up to {@code start}. */
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
   * Returns once everything below {@code seqno}, all of which must be published, is durable.
   *
   * <p>An interrupt neither ends the wait nor gets lost.
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

  /** Returns when somebody's force has ended, or it serves this thread. */
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
      crowd = arrived.get() - left.get(); // before the mark lets anybody go
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

  /** Lets those come back whom the last force served. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint only, and bounded
  private void gather() {
    long wanted = arrivedBefore + crowd;
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
