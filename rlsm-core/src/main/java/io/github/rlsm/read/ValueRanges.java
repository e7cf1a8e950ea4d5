// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.valuelog.ValueLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranges of the value log that a scan reads. Values of a batch that are close to each other
 * form one range, regardless of the order of their keys.
 *
 * <p>Threads: one thread at a time.
 */
final class ValueRanges {

  /**
   * The maximum gap between values of one range. The bytes of the gap are read along with the
   * values. The counter of gaps in {@code table.TableProperties} uses the same number.
   */
  private static final int NEAR_BYTES = 16 << 10;

  /** A range with at least this many values in the order of the scan is read ahead. */
  private static final int AHEAD_VALUES_MIN = 8;

  /** The maximum number of bytes of a range that are read ahead. */
  private static final int AHEAD_BYTES_MAX = 512 << 10;

  private record Place(int segment, long from, long to, boolean isSmall, int index) {}

  private record Range(long from, long to) {

    /** This range without the part that an earlier one has in the direction of the scan. */
    Range after(Range earlier, boolean descending) {
      long begin = descending ? to : from;
      if (begin < earlier.from || begin > earlier.to) {
        return this;
      }
      return descending
          ? new Range(Math.min(from, earlier.from), earlier.from)
          : new Range(earlier.to, Math.max(to, earlier.to));
    }
  }

  private final boolean descending;
  private final List<Place> places = new ArrayList<>();

  /** By segment, the last range that the previous batch requested, read-ahead included. */
  private Map<Integer, Range> asked = Map.of();

  private boolean areAhead;

  ValueRanges(boolean descending) {
    this.descending = descending;
  }

  /** Begins the next batch. */
  void clear() {
    places.clear();
  }

  /** Adds the value of a key with this length. The keys are in the order of the scan. */
  void add(ValuePointer pointer, int keyLength) {
    long from = pointer.offset();
    long to = from + ValueLog.recordBytes(keyLength, pointer);
    boolean isSmall = pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX;
    places.add(new Place(pointer.segment(), from, to, isSmall, places.size()));
  }

  /** Returns the number of added values. */
  int count() {
    return places.size();
  }

  /** Whether values beyond the last batch were requested. */
  boolean areAhead() {
    return areAhead;
  }

  /**
   * Has the kernel prefetch all ranges, except in segments that were never read. If the values of a
   * segment lie in the order of the scan, the values of its next batches probably follow. They are
   * prefetched too, so that the device works while the caller reads this batch.
   *
   * @param wanted the number of values that the scan will probably read after these
   * @return the number of ranges that hold small values in write order, not in key order
   */
  int ask(ValueLog log, long wanted) {
    double share = (double) wanted / places.size();
    places.sort(Comparator.comparingInt(Place::segment).thenComparingLong(Place::from));
    Map<Integer, Range> asking = new HashMap<>();
    areAhead = false;
    int stray = 0;
    int i = 0;
    while (i < places.size()) {
      int begin = i;
      Place first = places.get(i);
      long to = first.to;
      boolean isSmall = first.isSmall;
      for (i++; i < places.size() && isNear(first.segment, to, places.get(i)); i++) {
        to = Math.max(to, places.get(i).to);
        isSmall |= places.get(i).isSmall;
      }
      Range range = new Range(first.from, to);
      if (share > 0 && isInScanOrder(begin, i)) {
        range = withAhead(first.segment, range, share, log);
      }
      Range before = asked.get(first.segment);
      Range unasked = before == null ? range : range.after(before, descending);
      if (unasked.from < unasked.to) {
        log.mayNeed(first.segment, unasked.from, unasked.to);
      }
      asking.put(first.segment, range);
      boolean isStray = isSmall && log.isOpen(first.segment) && !log.isInKeyOrder(first.segment);
      stray += isStray ? 1 : 0;
    }
    asked = asking;
    return stray;
  }

  private static boolean isNear(int segment, long to, Place next) {
    return next.segment == segment && next.from <= to + NEAR_BYTES;
  }

  /** Whether a range has all of its segment's values, many, and in the order of the scan. */
  private boolean isInScanOrder(int begin, int end) {
    int segment = places.get(begin).segment;
    boolean isAlone = (begin == 0 || places.get(begin - 1).segment != segment)
        && (end == places.size() || places.get(end).segment != segment);
    if (!isAlone || end - begin < AHEAD_VALUES_MIN) {
      return false;
    }
    for (int i = begin + 1; i < end; i++) {
      if (places.get(i).index > places.get(i - 1).index == descending) {
        return false;
      }
    }
    return true;
  }

  /** Extends a range in the direction of the scan, up to the end of its segment. */
  private Range withAhead(int segment, Range range, double share, ValueLog log) {
    long bytes = (long) Math.min(AHEAD_BYTES_MAX, (range.to - range.from) * share);
    Range all = descending
        ? new Range(Math.max(0, range.from - bytes), range.to)
        : new Range(range.from, Math.min(log.length(segment), range.to + bytes));
    areAhead = true;
    return all;
  }
}
