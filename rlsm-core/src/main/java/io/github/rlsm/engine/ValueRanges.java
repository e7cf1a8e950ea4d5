// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.policy.ScanCosts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the values of a scan's batch stand in the value log: what has to be read for them. Values
 * that stand near each other are one range, whatever the order of their keys.
 *
 * <p>Threads: one thread at a time.
 */
final class ValueRanges {

  /** What lies between two values is read along with them rather than left out. */
  private static final int NEAR_BYTES = 16 << 10;

  private record Place(int segment, long from, long to, boolean isSmall) {}

  private final List<Place> places = new ArrayList<>();

  /** Adds the value of a key of that length. */
  void add(ValuePointer pointer, int keyLength) {
    long from = pointer.offset();
    long to = from + ValueLog.recordBytes(keyLength, pointer);
    boolean isSmall = pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX;
    places.add(new Place(pointer.segment(), from, to, isSmall));
  }

  /** Values that were added. */
  int count() {
    return places.size();
  }

  /**
   * Has the kernel begin to read all of them, but for those in segments that were never read.
   * Returns how many ranges hold small values in the order in which they were written.
   */
  int ask(ValueLog log) {
    places.sort(Comparator.comparingInt(Place::segment).thenComparingLong(Place::from));
    int stray = 0;
    int i = 0;
    while (i < places.size()) {
      Place first = places.get(i);
      long to = first.to;
      boolean isSmall = first.isSmall;
      for (i++; i < places.size() && isNear(first.segment, to, places.get(i)); i++) {
        to = Math.max(to, places.get(i).to);
        isSmall |= places.get(i).isSmall;
      }
      log.mayNeed(first.segment, first.from, to);
      boolean isStray = isSmall && log.isOpen(first.segment) && !log.isInKeyOrder(first.segment);
      stray += isStray ? 1 : 0;
    }
    return stray;
  }

  private static boolean isNear(int segment, long to, Place next) {
    return next.segment == segment && next.from <= to + NEAR_BYTES;
  }
}
