// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.base.ValuePointer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Statistics of a table's content, counted when the table was written.
 *
 * @param counts the numbers of entries
 * @param seqnos the seqnos of the entries
 * @param keys the keys of the entries
 * @param keyBytes bytes of all keys
 * @param valueBytes bytes of the values in the table, without pointers
 * @param segments the value-log segments that pointers refer to, in ascending order of number
 */
public record TableProperties(
    Counts counts,
    SeqnoRange seqnos,
    KeyBounds keys,
    long keyBytes,
    long valueBytes,
    List<SegmentUse> segments) {

  /**
   * The numbers of entries of a table.
   *
   * @param entries entries of every kind, 1 or more
   * @param tombstones entries that delete their key
   * @param pointers entries whose value lies in the value log
   */
  public record Counts(long entries, long tombstones, long pointers) {}

  /** Copies the list. */
  public TableProperties {
    segments = List.copyOf(segments);
  }

  /** The number of entries of every kind. */
  public long entries() {
    return counts.entries;
  }

  /** The number of entries that delete their key. */
  public long tombstones() {
    return counts.tombstones;
  }

  /** The number of entries whose value lies in the value log. */
  public long pointers() {
    return counts.pointers;
  }

  /** Bytes of the values that pointers refer to. */
  public long separatedBytes() {
    return segments.stream().mapToLong(SegmentUse::valueBytes).sum();
  }

  /**
   * The references of a table to one value-log segment.
   *
   * @param segment number of the segment
   * @param pointers entries that point into the segment
   * @param gaps pointers whose value is not near the value of the previous pointer into the
   *     segment, in key order; from 1 to {@code pointers}. A scan needs about as many seeks
   * @param valueBytes bytes of the values they point to
   */
  public record SegmentUse(int segment, long pointers, long gaps, long valueBytes) {}

  /**
   * Counts the entries of a table while it is written or checked. Allocates only for a new segment.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Counter {

    /**
     * The largest distance between values that are near. Writers in parallel do not append in the
     * exact order of their keys, so the distance counts in both directions. A scan reads a gap of
     * this length along with the values: {@code NEAR_BYTES} of {@code read.ValueRanges}.
     */
    private static final int NEAR_BYTES = 16 << 10;

    private long entries;
    private long tombstones;
    private long pointers;
    private long minSeqno = Long.MAX_VALUE;
    private long maxSeqno;
    private long keyBytes;
    private long valueBytes;

    /**
     * Parallel arrays over the segments found so far, ascending. Most pointers lead into few
     * segments.
     */
    private int[] segments = new int[8];

    private long[] segmentPointers = new long[8];
    private long[] segmentGaps = new long[8];
    private long[] segmentBytes = new long[8];

    /** The end of the last value that a pointer into the segment referred to. */
    private long[] segmentLast = new long[8];

    private int segmentCount;

    long entries() {
      return entries;
    }

    /** Counts an entry. */
    void count(int kind, long seqno, int keyLength, int valueLength) {
      entries++;
      minSeqno = Math.min(minSeqno, seqno);
      maxSeqno = Math.max(maxSeqno, seqno);
      keyBytes += keyLength;
      if (kind == EntryKind.PUT) {
        valueBytes += valueLength;
      } else if (kind == EntryKind.DELETE) {
        tombstones++;
      }
    }

    /**
     * Counts the target of an entry's pointer. Called in addition to {@link #count}.
     *
     * @param buffer little-endian buffer with the pointer
     */
    void countPointer(ByteBuffer buffer, int offset) {
      ValuePointer pointer = ValuePointer.read(buffer, offset);
      int segment = pointer.segment();
      pointers++;
      int index = Arrays.binarySearch(segments, 0, segmentCount, segment);
      if (index < 0) {
        index = -index - 1;
        insertSegment(index, segment);
      }
      boolean isNear = segmentPointers[index] > 0
          && Math.abs(pointer.offset() - segmentLast[index]) <= NEAR_BYTES;
      segmentPointers[index]++;
      segmentGaps[index] += isNear ? 0 : 1;
      segmentBytes[index] += pointer.valueLength();
      segmentLast[index] = pointer.offset() + (long) pointer.valueLength();
    }

    private void insertSegment(int index, int segment) {
      if (segmentCount == segments.length) {
        int room = 2 * segmentCount;
        segments = Arrays.copyOf(segments, room);
        segmentPointers = Arrays.copyOf(segmentPointers, room);
        segmentGaps = Arrays.copyOf(segmentGaps, room);
        segmentLast = Arrays.copyOf(segmentLast, room);
        segmentBytes = Arrays.copyOf(segmentBytes, room);
      }
      int after = segmentCount - index;
      System.arraycopy(segments, index, segments, index + 1, after);
      System.arraycopy(segmentPointers, index, segmentPointers, index + 1, after);
      System.arraycopy(segmentGaps, index, segmentGaps, index + 1, after);
      System.arraycopy(segmentBytes, index, segmentBytes, index + 1, after);
      System.arraycopy(segmentLast, index, segmentLast, index + 1, after);
      segments[index] = segment;
      segmentPointers[index] = 0;
      segmentGaps[index] = 0;
      segmentBytes[index] = 0;
      segmentCount++;
    }

    TableProperties properties(KeyBounds keys) {
      List<SegmentUse> uses = new ArrayList<>(segmentCount);
      for (int i = 0; i < segmentCount; i++) {
        uses.add(new SegmentUse(segments[i], segmentPointers[i], segmentGaps[i], segmentBytes[i]));
      }
      return new TableProperties(
          new Counts(entries, tombstones, pointers),
          new SeqnoRange(minSeqno, maxSeqno),
          keys,
          keyBytes,
          valueBytes,
          uses);
    }
  }
}
