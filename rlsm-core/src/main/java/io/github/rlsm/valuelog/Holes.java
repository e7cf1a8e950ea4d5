// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.RecordLayout;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Collects the ranges of value segments in which whole blocks are dead. Punching these blocks frees
 * their space while the rest of the segment stays (WiscKey, section 3.3.2).
 *
 * <p>A rewrite adds dead values in the order of their keys. Adjacent values that die together in
 * this order, as in segments of moved values, form one hole. The partial blocks at both ends of a
 * hole are not recorded. Their space is freed with the segment.
 *
 * <p>Threads: one at a time.
 */
public final class Holes {

  private final int unit;
  private final long bytesMin;
  private final Map<Integer, LongStream.Builder> ranges = new TreeMap<>();
  private final Map<Integer, Long> bytes = new TreeMap<>();
  private int segment;
  private long from;
  private long to;

  /**
   * Creates an empty collection.
   *
   * @param unit the alignment of a hole's offset and length; 0 if the file system cannot punch
   *     holes
   * @param bytesMin the length below which a hole is not worth punching
   */
  Holes(int unit, long bytesMin) {
    this.unit = unit;
    this.bytesMin = bytesMin;
  }

  /**
   * Adds a dead value.
   *
   * @param keyLength length of the value's internal key
   * @param pointer the pointer to the dead value
   */
  public void add(int keyLength, ValuePointer pointer) {
    int length = pointer.valueLength();
    int head = pointer.inBatch()
        ? RecordLayout.OPERATION_HEAD
        : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    long end = (long) pointer.offset() + head + keyLength + length;
    if (unit == 0 || length < 0 || end > Integer.MAX_VALUE) {
      return;
    }
    // A smaller gap holds no record. It is padding, or the bytes of a promise in the last record.
    int gapMax = pointer.inBatch() ? RecordLayout.OPERATION_HEAD : RecordLayout.HEADER;
    boolean goesOn =
        pointer.segment() == segment && pointer.offset() >= to && pointer.offset() - to < gapMax;
    if (!goesOn) {
      close();
      segment = pointer.segment();
      from = pointer.offset();
    }
    to = end;
  }

  /** Ends the current range. */
  private void close() {
    long first = unit == 0 ? 0 : (from + unit - 1) / unit * unit;
    long end = unit == 0 ? 0 : to / unit * unit;
    if (first < end && end - first >= bytesMin) {
      ranges.computeIfAbsent(segment, any -> LongStream.builder()).add(first << Integer.SIZE | end);
      bytes.merge(segment, end - first, Long::sum);
    }
    from = 0;
    to = 0;
  }

  /** Bytes of the holes, by segment. */
  public Map<Integer, Long> bytes() {
    close();
    return Map.copyOf(bytes);
  }

  /**
   * Removes and returns the holes by segment, each as
   * {@link io.github.rlsm.io.StoreDirectory#punch} expects it.
   */
  public Map<Integer, long[]> ranges() {
    close();
    Map<Integer, long[]> bySegment = new TreeMap<>();
    ranges.forEach((number, each) -> bySegment.put(number, each.build().toArray()));
    ranges.clear();
    return bySegment;
  }
}
