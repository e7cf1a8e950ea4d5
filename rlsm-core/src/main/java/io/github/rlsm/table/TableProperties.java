// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.SeqnoRange;
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
   * @param valueBytes bytes of the values they point to
   */
  public record SegmentUse(int segment, long pointers, long valueBytes) {}
}
