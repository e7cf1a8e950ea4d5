// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.Arrays;

/**
 * The metadata of one run as policies see it. In L0 the run is a flushed table. In a partition it
 * is a table or a slice of one.
 *
 * @param id number of the run's table; unique in L0
 * @param span from the smallest key to the immediate successor of the largest key; bounded on both
 *     sides, never empty. It can be wider than the run's keys, never narrower.
 * @param bytes bytes on disk of the run's entries within its span
 * @param entries keys in the run, tombstones included; a run has each key at most once
 * @param tombstones entries that mark a deletion
 * @param minSeqno smallest seqno in the run
 * @param maxSeqno largest seqno in the run
 * @param deadEntries entries known or estimated to be shadowed by newer runs of the same partition;
 *     0 in L0 and in a partition's newest run
 * @param tableBytes size of the whole table's file, which stays on disk as long as any run uses a
 *     part of it
 * @param pointers entries with a value in the value log
 * @param valueBytes bytes of the values that these entries point to
 */
public record RunShape(
    long id,
    KeyRange span,
    long bytes,
    long entries,
    long tombstones,
    long minSeqno,
    long maxSeqno,
    long deadEntries,
    long tableBytes,
    long pointers,
    long valueBytes) {

  /** Creates a run without pointers into the value log. */
  public RunShape(
      long id,
      KeyRange span,
      long bytes,
      long entries,
      long tombstones,
      long minSeqno,
      long maxSeqno,
      long deadEntries,
      long tableBytes) {
    this(id, span, bytes, entries, tombstones, minSeqno, maxSeqno, deadEntries, tableBytes, 0, 0);
  }

  /** Checks that the figures are consistent. */
  public RunShape {
    if (span.from() == null || span.to() == null || span.isEmpty()) {
      throw new IllegalArgumentException("run " + id + ": span " + span + " is open or empty");
    }
    if (bytes < 0 || entries < 0 || tableBytes < 0 || valueBytes < 0) {
      throw new IllegalArgumentException("run " + id + ": " + bytes + " bytes, " + entries
          + " entries, table of " + tableBytes + " bytes, values of " + valueBytes);
    }
    requireShare(id, "tombstones", tombstones, entries);
    requireShare(id, "dead entries", deadEntries, entries);
    requireShare(id, "pointers", pointers, entries);
    if (minSeqno > maxSeqno) {
      throw new IllegalArgumentException(
          "run " + id + ": seqnos " + minSeqno + " to " + maxSeqno + " run backwards");
    }
  }

  private static void requireShare(long id, String what, long part, long entries) {
    if (part < 0 || part > entries) {
      throw new IllegalArgumentException(
          "run " + id + ": " + part + " " + what + " of " + entries + " entries");
    }
  }

  /**
   * The range from one key to another, both inclusive. It ends at the largest key followed by a
   * zero byte, which is the key's immediate successor.
   */
  public static KeyRange span(byte[] smallest, byte[] largest) {
    return KeyRange.of(smallest, Arrays.copyOf(largest, largest.length + 1));
  }
}
