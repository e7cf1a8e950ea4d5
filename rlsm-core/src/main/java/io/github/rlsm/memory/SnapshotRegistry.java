// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The set of open snapshots and scans, as writers see it.
 *
 * <p>A snapshot first {@linkplain #enter enters} the registry, then reads its seqno and stores it
 * with {@link #set}. In between, it counts as a snapshot that needs every version. If more
 * snapshots are open than there are places, each one without a place counts the same until it
 * closes.
 *
 * <p>Threads: any, without locks.
 *
 * <p>Keeps invariant I-3 of ARCHITECTURE.md.
 */
public final class SnapshotRegistry {

  private static final int PLACES = 256;
  private static final long FREE = 0;
  private static final long UNKNOWN = -1;
  private static final int OVERFLOW = -1;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger overflow = new AtomicInteger();
  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** Registers a snapshot before it has read its seqno. Returns its ticket. */
  public int enter() {
    int first = open.getAndIncrement();
    for (int i = 0; i < PLACES; i++) {
      int place = first + i & PLACES - 1;
      if (places.get(place) == FREE && places.compareAndSet(place, FREE, UNKNOWN)) {
        return place;
      }
    }
    overflow.getAndIncrement();
    return OVERFLOW;
  }

  /**
   * Stores the bound of a snapshot: the snapshot sees seqnos below {@code end}, which is 1 or more.
   */
  public void set(int ticket, long end) {
    if (ticket != OVERFLOW) {
      places.set(ticket, end);
    }
  }

  /** Removes a snapshot. */
  public void leave(int ticket) {
    if (ticket == OVERFLOW) {
      overflow.getAndDecrement();
    } else {
      places.set(ticket, FREE);
    }
    open.getAndDecrement();
  }

  /** The number of open snapshots. */
  public int count() {
    return open.get();
  }

  /**
   * Returns whether some snapshot sees the version of a key with seqno {@code older} and not the
   * version with seqno {@code newer}.
   */
  boolean isNeeded(long older, long newer) {
    return open.get() > 0 && isNeededByAny(older, newer);
  }

  private boolean isNeededByAny(long older, long newer) {
    if (overflow.get() > 0) {
      return true;
    }
    for (int i = 0; i < PLACES; i++) {
      long end = places.get(i);
      if (end == UNKNOWN || (end > older && end <= newer)) {
        return true;
      }
    }
    return false;
  }
}
