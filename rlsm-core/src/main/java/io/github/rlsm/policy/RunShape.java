// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import java.util.Arrays;

/**
 * The metadata of one run as policies see it. In L0 the run is a flushed table. In a partition it
 * is a table or a slice of one.
 *
 * @param table the run's table; its id is unique in L0
 * @param span from the smallest key to the immediate successor of the largest key; bounded on both
 *     sides, never empty. It can be wider than the run's keys, never narrower.
 * @param bytes bytes on disk of the run's entries within its span
 * @param counts the number of the run's entries
 * @param seqnos the range of seqnos in the run
 * @param values the run's values in the value log
 */
public record RunShape(
    TableFile table, KeyRange span, long bytes, Counts counts, SeqnoRange seqnos, Values values) {

  /**
   * A table, and the size of its whole file, which stays on disk as long as any run uses a part of
   * it.
   *
   * @param id number of the table
   * @param bytes size of the file
   */
  public record TableFile(long id, long bytes) {}

  /**
   * The number of entries of a run.
   *
   * @param entries keys in the run, tombstones included; a run has each key at most once
   * @param tombstones entries that mark a deletion
   * @param dead entries known or estimated to be shadowed by newer runs of the same partition; 0 in
   *     L0 and in a partition's newest run
   */
  public record Counts(long entries, long tombstones, long dead) {}

  /**
   * The values of a run that are in the value log.
   *
   * @param pointers entries with a value in the value log
   * @param bytes bytes of the values that these entries point to
   */
  public record Values(long pointers, long bytes) {

    /** No value is in the value log. */
    public static final Values NONE = new Values(0, 0);
  }

  /** Checks that the figures are consistent. */
  public RunShape {
    long id = table.id;
    if (span.from() == null || span.to() == null || span.isEmpty()) {
      throw new IllegalArgumentException("run " + id + ": span " + span + " is open or empty");
    }
    if (bytes < 0 || counts.entries < 0 || table.bytes < 0 || values.bytes < 0) {
      throw new IllegalArgumentException("run " + id + ": " + bytes + " bytes, " + counts.entries
          + " entries, table of " + table.bytes + " bytes, values of " + values.bytes);
    }
    requireShare(id, "tombstones", counts.tombstones, counts.entries);
    requireShare(id, "dead entries", counts.dead, counts.entries);
    requireShare(id, "pointers", values.pointers, counts.entries);
    if (seqnos.min() > seqnos.max()) {
      throw new IllegalArgumentException("run " + id + ": seqnos " + seqnos + " run backwards");
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

  /** The number of the run's table. */
  public long id() {
    return table.id;
  }

  /** The size of the whole table's file. */
  public long tableBytes() {
    return table.bytes;
  }

  /** The keys in the run, tombstones included. */
  public long entries() {
    return counts.entries;
  }

  /** The entries that mark a deletion. */
  public long tombstones() {
    return counts.tombstones;
  }

  /** The entries that newer runs of the same partition shadow. */
  public long deadEntries() {
    return counts.dead;
  }

  /** The smallest seqno in the run. */
  public long minSeqno() {
    return seqnos.min();
  }

  /** The largest seqno in the run. */
  public long maxSeqno() {
    return seqnos.max();
  }

  /** The entries with a value in the value log. */
  public long pointers() {
    return values.pointers;
  }

  /** The bytes of the run's values in the value log. */
  public long valueBytes() {
    return values.bytes;
  }
}
