// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a table's content, counted when the table was written. Callers must not modify the
 * arrays.
 *
 * @param entries entries of every kind, 1 or more
 * @param tombstones entries that delete their key
 * @param pointers entries whose value lies in the value log
 * @param minSeqno smallest seqno
 * @param maxSeqno largest seqno
 * @param keyBytes bytes of all keys
 * @param valueBytes bytes of the values in the table, without pointers
 * @param smallestKey the first key
 * @param largestKey the last key
 * @param segments the value-log segments that pointers refer to, in ascending order of number
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare the content of the arrays
public record TableProperties(
    long entries,
    long tombstones,
    long pointers,
    long minSeqno,
    long maxSeqno,
    long keyBytes,
    long valueBytes,
    byte[] smallestKey,
    byte[] largestKey,
    List<SegmentUse> segments) {

  /** Copies the list. */
  public TableProperties {
    segments = List.copyOf(segments);
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
   * @param valueBytes bytes of the values they point to
   */
  public record SegmentUse(int segment, long pointers, long valueBytes) {}

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableProperties that
        && Arrays.equals(counts(), that.counts())
        && Arrays.equals(smallestKey, that.smallestKey)
        && Arrays.equals(largestKey, that.largestKey)
        && segments.equals(that.segments);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts()) + Arrays.hashCode(smallestKey);
  }

  private long[] counts() {
    return new long[] {entries, tombstones, pointers, minSeqno, maxSeqno, keyBytes, valueBytes};
  }
}
