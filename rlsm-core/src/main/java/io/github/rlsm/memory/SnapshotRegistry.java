// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The snapshots and scans that are open, as writers see them.
 *
 * <p>A snapshot first {@linkplain #enter enters} the registry and then learns its seqno, which it
 * puts in with {@link #set}; in between it counts as needing everything. When more are open than
 * there are places, the rest count so for as long as they are open.
 *
 * <p>Threads: any, without locks.
 */
public final class SnapshotRegistry {

  private static final int PLACES = 256;
  private static final long FREE = 0;
  private static final long UNKNOWN = -1;
  private static final int OVERFLOW = -1;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger overflow = new AtomicInteger();
  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** Announces a snapshot whose seqno is not known yet. Returns its ticket. */
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

  /** Says that the snapshot sees what lies below {@code end}, 1 or more. */
  public void set(int ticket, long end) {
    if (ticket != OVERFLOW) {
      places.set(ticket, end);
    }
  }

  /** Takes a snapshot out. */
  public void leave(int ticket) {
    if (ticket == OVERFLOW) {
      overflow.getAndDecrement();
    } else {
      places.set(ticket, FREE);
    }
    open.getAndDecrement();
  }

  /** How many are open. */
  public int count() {
    return open.get();
  }

  /**
   * Whether some snapshot sees the version with seqno {@code older} of a key and not the one with
   * {@code newer}.
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
