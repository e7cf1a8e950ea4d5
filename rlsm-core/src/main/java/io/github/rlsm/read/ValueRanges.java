// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.valuelog.ValueLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The ranges of the value log that hold the values of a scan's batch. Values close to each other
 * form one range, regardless of the order of their keys.
 *
 * <p>Threads: one thread at a time.
 */
final class ValueRanges {

  /**
   * The maximum gap between values of one range. The bytes of the gap are read along with the
   * values.
   */
  private static final int NEAR_BYTES = 16 << 10;

  private record Place(int segment, long from, long to, boolean isSmall) {}

  private final List<Place> places = new ArrayList<>();

  /** Adds the value of a key with this length. */
  void add(ValuePointer pointer, int keyLength) {
    long from = pointer.offset();
    long to = from + ValueLog.recordBytes(keyLength, pointer);
    boolean isSmall = pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX;
    places.add(new Place(pointer.segment(), from, to, isSmall));
  }

  /** Returns the number of added values. */
  int count() {
    return places.size();
  }

  /**
   * Has the kernel prefetch all ranges, except in segments that were never read. Returns the number
   * of ranges that hold small values in write order, not in key order.
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
