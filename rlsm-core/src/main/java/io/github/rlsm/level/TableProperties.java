// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in a table, counted when it was written. The arrays are the object's own and must not be
 * written to.
 *
 * @param entries entries of every kind, 1 or more
 * @param tombstones entries that delete their key
 * @param pointers entries whose value stands in the value log
 * @param minSeqno smallest sequence number
 * @param maxSeqno largest sequence number
 * @param keyBytes bytes of all keys
 * @param valueBytes bytes of the values that stand in the table, pointers not counted
 * @param smallestKey the first key
 * @param largestKey the last key
 * @param segments the value-log segments that pointers refer to, in ascending order of number
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode look into the arrays
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

  /** Bytes of the values that pointers point to. */
  public long separatedBytes() {
    return segments.stream().mapToLong(SegmentUse::valueBytes).sum();
  }

  /**
   * What a table refers to in one segment of the value log.
   *
   * @param segment number of the segment
   * @param pointers entries that point there
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
