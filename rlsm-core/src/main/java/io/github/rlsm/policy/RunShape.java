// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.Arrays;

/**
 * What a decision may know of one run: a flushed table in L0, or a table or slice of one in a
 * partition.
 *
 * @param id the table that the run is, or is a slice of; unique in L0
 * @param span from the smallest key to just after the largest one; both ends closed off, never
 *     empty. May be wider than the keys it holds, never narrower.
 * @param bytes size on disk of what the run holds within its span
 * @param entries keys in the run, tombstones included; a run holds each key at most once
 * @param tombstones entries that only say "deleted"
 * @param minSeqno smallest seqno in the run
 * @param maxSeqno largest seqno in the run
 * @param deadEntries entries known or estimated to be shadowed by newer runs of the same partition;
 *     0 in L0 and in a partition's newest run
 * @param tableBytes size of the whole table's file, which stays on disk as long as any run needs a
 *     part of it
 * @param pointers entries whose value stands in the value log
 * @param valueBytes bytes of the values they point to
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

  /** A run without pointers into the value log. */
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

  /** Checks that the figures can be those of a run. */
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

  /** Bytes of tables and of the value log that would be free without its garbage. */
  double garbageBytes() {
    return entries == 0
        ? 0
        : ((double) bytes * (deadEntries + tombstones) + (double) valueBytes * deadEntries)
            / entries;
  }

  private static void requireShare(long id, String what, long part, long entries) {
    if (part < 0 || part > entries) {
      throw new IllegalArgumentException(
          "run " + id + ": " + part + " " + what + " of " + entries + " entries");
    }
  }

  /**
   * The range from one key to another, both inclusive: it ends at the largest key followed by a
   * zero byte, the key's immediate successor.
   */
  public static KeyRange span(byte[] smallest, byte[] largest) {
    return KeyRange.of(smallest, Arrays.copyOf(largest, largest.length + 1));
  }
}
