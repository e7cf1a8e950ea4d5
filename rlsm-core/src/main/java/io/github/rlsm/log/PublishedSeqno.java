// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.kv.StoreFailedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How far the history is complete: every record that begins below {@link #get()} is filled into the
 * log and inserted into memory.
 *
 * <p>Writers finish in any order. Each publishes the interval of its record; whoever closes the gap
 * at the front moves the mark over all intervals that follow. An interval is deposited in a ring
 * under its start. Two intervals share a slot only if their starts lie a whole ring apart, so a
 * writer that far ahead waits for the front first; a slot's content counts only if it lies beyond
 * the mark, which what an earlier lap left there never does.
 *
 * <p><b>Failure.</b> A record that was reserved and could not be made whole is a hole, which the
 * history never gets past: {@link #get} stays below it, and who waits for more is told why. What
 * was written behind it meanwhile is in memory all the same, and may have taken the place of what
 * was acknowledged before; so readers of a store that has failed do not stop at the hole. For them
 * there is a second mark, {@link #awaitSettled}, that a hole's interval moves like any other.
 *
 * <p>Threads: any. A deposit is a volatile write followed by a volatile read of the mark, and
 * moving the mark is a volatile write followed by a volatile read of the next slot; so of two
 * writers that close a gap together at least one sees the other's deposit, and no interval is left
 * behind.
 */
public final class PublishedSeqno {

  private static final int RING = 1 << 15;
  private static final int SPINS = 200;
  private static final int YIELDS = 200;
  private static final long PARK_NANOS = 50_000;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle MARK;

  static {
    try {
      MARK = MethodHandles.lookup().findVarHandle(PublishedSeqno.class, "mark", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] ring = new long[RING];
  private volatile long mark;

  /** Start of the first record that will never be whole; written under this object's monitor. */
  private volatile long hole = Long.MAX_VALUE;

  private volatile @Nullable Throwable failure; // written before hole

  /** A history that is complete up to {@code start}. */
  public PublishedSeqno(long start) {
    this.mark = start;
  }

  /** The seqno below which the history is complete. */
  public long get() {
    long settled = mark; // first this: a hole is known before the mark gets past it
    return Math.min(settled, hole);
  }

  /** Publishes the record that takes the seqnos {@code [start, end)}. */
  public void publish(long start, long end) {
    if (start - mark >= RING) {
      awaitSettled(start - RING + 1);
    }
    SLOT.setVolatile(ring, (int) start & RING - 1, end);
    long front = mark;
    while (true) {
      long next = (long) SLOT.getVolatile(ring, (int) front & RING - 1);
      if (next <= front) {
        long now = mark;
        if (now == front) {
          return;
        }
        front = now;
      } else if (MARK.compareAndSet(this, front, next)) {
        front = next;
      } else {
        front = mark;
      }
    }
  }

  /** Says that the record which was to take {@code [start, end)} will never be whole. */
  public void fail(Throwable cause, long start, long end) {
    synchronized (this) {
      if (failure == null) {
        failure = cause;
      }
      hole = Math.min(hole, start);
    }
    publish(start, end);
  }

  /**
   * Returns once {@link #get()} is {@code seqno} or more.
   *
   * @throws StoreFailedException if that will never be, see {@link #fail}
   */
  public void awaitAtLeast(long seqno) {
    for (int i = 0; get() < seqno; i++) {
      if (hole < seqno) {
        throw new StoreFailedException(Objects.requireNonNull(failure));
      }
      pause(i);
    }
  }

  /**
   * Returns once every record that begins below {@code seqno} is in memory, or will never be. In a
   * store that has not failed that is the same as {@link #awaitAtLeast}.
   */
  public void awaitSettled(long seqno) {
    for (int i = 0; mark < seqno; i++) {
      pause(i);
    }
  }

  /**
   * Waits a little for {@link #get()} to become {@code seqno} or more. Returns whether it has: a
   * writer that is not held up has done its part by then.
   */
  boolean getsTo(long seqno) {
    for (int i = 0; get() < seqno; i++) {
      if (i == SPINS + YIELDS) {
        return false;
      }
      pause(i);
    }
    return true;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint only: what is waited for takes microseconds
  private void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else if (round < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(this, PARK_NANOS);
    }
  }
}
