// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.valuelog.ValueLog;
import java.util.Arrays;

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

  // The values, in the order of the scan.
  private final int[] segments;
  private final long[] froms;
  private final long[] tos;
  private final boolean[] areSmall;
  private int count;

  /** The values in the order of their places in the log. */
  private final int[] byPlace;

  /** The ranges that the previous batch requested. */
  private Requested before;

  /** The ranges that this batch requests. */
  private Requested now;

  private boolean areAhead;

  /** Creates an object that is reused for batches of up to {@code countMax} values. */
  ValueRanges(int countMax) {
    segments = new int[countMax];
    froms = new long[countMax];
    tos = new long[countMax];
    areSmall = new boolean[countMax];
    byPlace = new int[countMax];
    before = new Requested(countMax);
    now = new Requested(countMax);
  }

  /** Begins the first batch of another scan. */
  void reset() {
    clear();
    now.count = 0;
    areAhead = false;
  }

  /** Begins the next batch. */
  void clear() {
    count = 0;
  }

  /** Adds the value of a key with this length. The keys are in the order of the scan. */
  void add(ValuePointer pointer, int keyLength) {
    segments[count] = pointer.segment();
    froms[count] = pointer.offset();
    tos[count] = pointer.offset() + ValueLog.recordBytes(keyLength, pointer);
    areSmall[count] = pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX;
    count++;
  }

  /** Returns the number of added values. */
  int count() {
    return count;
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
  int ask(ValueLog log, long wanted, boolean descending) {
    Requested earlier = now;
    now = before;
    before = earlier;
    now.count = 0;
    areAhead = false;
    sortByPlace(descending);
    double share = (double) wanted / count;
    int stray = 0;
    int end = 0;
    while (end < count) {
      int begin = end;
      int first = byPlace[begin];
      int segment = segments[first];
      long to = tos[first];
      boolean isSmall = areSmall[first];
      for (end++; end < count && isNear(segment, to, byPlace[end]); end++) {
        to = Math.max(to, tos[byPlace[end]]);
        isSmall |= areSmall[byPlace[end]];
      }
      long ahead = share > 0 && isInScanOrder(begin, end, descending)
          ? (long) Math.min(AHEAD_BYTES_MAX, (to - froms[first]) * share)
          : 0;
      request(log, segment, froms[first], to, ahead, descending);
      boolean isStray = isSmall && log.isOpen(segment) && !log.isMoved(segment);
      stray += isStray ? 1 : 0;
    }
    return stray;
  }

  /**
   * An insertion sort of indexes, so that nothing is allocated. It takes the values in ascending
   * order of keys, so values in key order need one step each in either direction. Values in random
   * order need 4,000 steps in the largest batch, and as many reads of the device as values.
   */
  private void sortByPlace(boolean descending) {
    for (int i = 0; i < count; i++) {
      int next = descending ? count - 1 - i : i;
      int at = i;
      while (at > 0 && isBefore(next, byPlace[at - 1])) {
        byPlace[at] = byPlace[at - 1];
        at--;
      }
      byPlace[at] = next;
    }
  }

  private boolean isBefore(int one, int other) {
    return segments[one] == segments[other]
        ? froms[one] < froms[other]
        : segments[one] < segments[other];
  }

  private boolean isNear(int segment, long to, int next) {
    return segments[next] == segment && froms[next] <= to + NEAR_BYTES;
  }

  /** Whether a range has all of its segment's values, many, and in the order of the scan. */
  private boolean isInScanOrder(int begin, int end, boolean descending) {
    int segment = segments[byPlace[begin]];
    boolean isAlone = (begin == 0 || segments[byPlace[begin - 1]] != segment)
        && (end == count || segments[byPlace[end]] != segment);
    if (!isAlone || end - begin < AHEAD_VALUES_MIN) {
      return false;
    }
    for (int i = begin + 1; i < end; i++) {
      if (byPlace[i] > byPlace[i - 1] == descending) {
        return false;
      }
    }
    return true;
  }

  /**
   * Requests a range, without the part that the previous batch has requested.
   *
   * @param ahead the bytes by which the range is extended in the direction of the scan, up to the
   *     end of its segment
   */
  private void request(
      ValueLog log, int segment, long first, long end, long ahead, boolean descending) {
    long from = ahead > 0 && descending ? Math.max(0, first - ahead) : first;
    long to = ahead > 0 && !descending ? Math.min(log.length(segment), end + ahead) : end;
    areAhead |= ahead > 0;
    now.add(segment, from, to);
    int same = before.find(segment);
    if (same >= 0 && before.has(same, descending ? to : from)) {
      if (descending) {
        to = before.froms[same];
      } else {
        from = before.tos[same];
      }
    }
    if (from < to) {
      log.mayNeed(segment, from, to);
    }
  }

  /** The last range of each segment, read-ahead included, in the order of the segments. */
  private static final class Requested {

    private final int[] segments;
    private final long[] froms;
    private final long[] tos;
    private int count;

    Requested(int countMax) {
      segments = new int[countMax];
      froms = new long[countMax];
      tos = new long[countMax];
    }

    void add(int segment, long from, long to) {
      if (count == 0 || segments[count - 1] != segment) {
        segments[count++] = segment;
      }
      froms[count - 1] = from;
      tos[count - 1] = to;
    }

    int find(int segment) {
      return Arrays.binarySearch(segments, 0, count, segment);
    }

    boolean has(int range, long place) {
      return place >= froms[range] && place <= tos[range];
    }
  }
}
