// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.Pause;
import io.github.rlsm.kv.StoreFailedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tracks how far the history is complete: every record that begins below {@link #get()} is filled
 * into the log and inserted into memory.
 *
 * <p>Writers finish in any order, and each one publishes the interval of its record. The writer
 * that closes the gap at the front advances the mark over all intervals that follow. A writer
 * deposits its interval in a ring of slots, at the interval's start. Two intervals share a slot
 * only if their starts are a whole ring apart, so a writer that far ahead first waits for the
 * front. A slot's content counts only if it is beyond the mark, which content from an earlier lap
 * never is.
 *
 * <p><b>Failure.</b> A record that was reserved but could not be completed is a hole, which the
 * history never passes. The seqno of {@link #get} stays below the hole, and a thread that waits for
 * more gets the cause as an exception. Records after the hole are in memory nevertheless, and may
 * have replaced acknowledged values. So readers of a failed store do not stop at the hole. They use
 * a second mark, {@link #awaitSettled}, which the interval of a hole advances like any other
 * interval. Reporting a hole allocates nothing. A thread without enough stack to report a hole sets
 * {@link #stuck}.
 *
 * <p>Threads: any. A deposit is a volatile write followed by a volatile read of the mark. Advancing
 * the mark is a volatile write followed by a volatile read of the next slot. So if two writers
 * close a gap together, at least one of them sees the other's deposit, and no interval is left
 * behind.
 *
 * <p>Keeps invariant I-1 of ARCHITECTURE.md.
 */
public final class PublishedSeqno {

  private static final int RING = 1 << 15;
  private static final int SPINS = 200;
  private static final int YIELDS = 200;
  private static final long PARK_NANOS = 50_000;

  /** The maximum time that a running writer may take, in rounds of waiting: about 50 ms. */
  private static final int STOPPED_ROUNDS = SPINS + YIELDS + 1000;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle MARK;
  private static final VarHandle HOLE;
  private static final VarHandle FAILURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MARK = lookup.findVarHandle(PublishedSeqno.class, "mark", long.class);
      HOLE = lookup.findVarHandle(PublishedSeqno.class, "hole", long.class);
      FAILURE = lookup.findVarHandle(PublishedSeqno.class, "failure", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] ring = new long[RING];
  private volatile long mark;

  /** Start of the first record that will never be complete. */
  private volatile long hole = Long.MAX_VALUE;

  private volatile @Nullable Throwable failure; // the first one; written before hole

  /**
   * Set if a record will never be complete and the thread that reserved it had not enough stack to
   * call {@link #fail}. A field, because setting it needs no call. From then on, a thread that
   * waits for a mark that has stopped gives up.
   */
  public volatile boolean stuck;

  /** Begins with a history that is complete up to {@code start}. */
  public PublishedSeqno(long start) {
    this.mark = start;
  }

  /** The seqno below which the history is complete. */
  public long get() {
    long settled = mark; // read the mark first: a hole is set before the mark passes it
    return Math.min(settled, hole);
  }

  /** Publishes the record that takes the seqnos {@code [start, end)}. */
  public void publish(long start, long end) {
    if (start - mark >= RING && !settles(start - RING + 1)) {
      return; // the mark has stopped for good, and the slot may hold another interval
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

  /** Reports that the record of {@code [start, end)} will never be complete. Allocates nothing. */
  public void fail(Throwable cause, long start, long end) {
    FAILURE.compareAndSet(this, null, cause);
    long before = hole;
    while (start < before && !HOLE.compareAndSet(this, before, start)) {
      before = hole;
    }
    publish(start, end);
  }

  /**
   * Waits until {@link #get()} is {@code seqno} or more.
   *
   * @throws StoreFailedException if this cannot happen any more, see {@link #fail}
   */
  public void awaitAtLeast(long seqno) {
    int rounds = 0;
    long seen = mark;
    while (get() < seqno) {
      if (hole < seqno) {
        throw new StoreFailedException(Objects.requireNonNull(failure));
      }
      if (isStopped(rounds, seen)) {
        throw new StoreFailedException(
            new IllegalStateException("a write ran out of stack and could not report its outcome"));
      }
      seen = mark;
      pause(rounds++);
    }
  }

  /**
   * Waits until every record that begins below {@code seqno} is in memory, or will never be. In a
   * store that has not failed, this is the same as {@link #awaitAtLeast}.
   */
  public void awaitSettled(long seqno) {
    if (mark < seqno) {
      settles(seqno);
    }
  }

  /** Waits until the mark reaches a seqno. Returns false if it stopped before that. */
  private boolean settles(long seqno) {
    int rounds = 0;
    long seen = mark;
    while (mark < seqno) {
      if (isStopped(rounds, seen)) {
        return false;
      }
      seen = mark;
      pause(rounds++);
    }
    return true;
  }

  /**
   * Returns whether the mark has stopped for good: a record is missing, and the other writers have
   * had enough time to finish.
   */
  private boolean isStopped(int rounds, long seen) {
    return stuck && rounds > STOPPED_ROUNDS && mark == seen;
  }

  /**
   * Waits briefly for {@link #get()} to reach {@code seqno}, and returns whether it did. The time
   * is enough for any writer that is not held up.
   */
  public boolean getsTo(long seqno) {
    for (int i = 0; get() < seqno; i++) {
      if (i == SPINS + YIELDS) {
        return false;
      }
      pause(i);
    }
    return true;
  }

  @SuppressWarnings("ThreadPriorityCheck") // only a hint: the awaited event takes microseconds
  private void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else if (round < SPINS + YIELDS) {
      Thread.yield();
    } else {
      try {
        Pause.nanos(this, PARK_NANOS);
      } catch (OutOfMemoryError | StackOverflowError e) {
        Thread.yield(); // parking a virtual thread allocates, but this wait must not fail
      }
    }
  }
}
