// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Collects where in value segments whole blocks are dead, so that their room can be given back
 * while the rest of the segment stays (WiscKey, section 3.3.2).
 *
 * <p>Values are added as a rewrite meets them, in the order of their keys. Neighbours that die
 * together in that order, as in segments of moved values, make one hole; what is left of a block on
 * both sides of a hole is not remembered, and waits until the segment goes.
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
   * No holes yet.
   *
   * @param unit a hole's length and place are multiples of this; 0 if there cannot be any
   * @param bytesMin shorter ones are not worth it
   */
  Holes(int unit, long bytesMin) {
    this.unit = unit;
    this.bytesMin = bytesMin;
  }

  /** Nothing needs what a pointer, of a key of that length, points to. */
  public void add(int keyLength, ValuePointer pointer) {
    int length = pointer.valueLength();
    int head = pointer.inBatch()
        ? RecordLayout.OPERATION_HEAD
        : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    long end = (long) pointer.offset() + head + keyLength + length;
    if (unit == 0 || length < 0 || end > Integer.MAX_VALUE) {
      return;
    }
    // No head of anything fits in between: rounding, or what a promise in the last record took.
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

  /** Ends the range that is being collected. */
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

  /** The holes by segment, each as {@link io.github.rlsm.io.StoreDirectory#punch} wants it. */
  public Map<Integer, long[]> ranges() {
    close();
    Map<Integer, long[]> bySegment = new TreeMap<>();
    ranges.forEach((number, each) -> bySegment.put(number, each.build().toArray()));
    ranges.clear();
    return bySegment;
  }
}
