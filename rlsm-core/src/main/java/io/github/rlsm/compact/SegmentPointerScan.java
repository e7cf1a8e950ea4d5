// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableProperties.SegmentUse;
import io.github.rlsm.version.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Scans adjacent runs of a partition for pointers into given value segments. Skips the pointers of
 * a run into a segment if the run's values were already moved out of that segment.
 *
 * <p>Such entries are a small part of the runs. So the runs are not merged: each run is scanned for
 * these entries only, and a lookup as in a read decides whether a newer run shadows an entry.
 *
 * <p>Threads: one at a time.
 */
final class SegmentPointerScan {

  private final Set<Integer> segments;
  private final List<Run> runs = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();

  /** For each run, the cursor over its matching entries. */
  private final List<EntryCursor> cursors = new ArrayList<>();

  private long countMax;
  private final EntryView found = new EntryView();
  private byte[] key = new byte[64];

  /** Creates a scan without runs. */
  SegmentPointerScan(Set<Integer> segments) {
    this.segments = segments;
  }

  /** Adds a run that is older than all runs before. */
  void add(Run run, Table table) {
    List<SegmentUse> here = table.properties().segments().stream()
        .filter(use -> segments.contains(use.segment()) && !run.isMovedOutOf(use.segment()))
        .toList();
    runs.add(run);
    tables.add(table);
    int[] numbers = here.stream().mapToInt(SegmentUse::segment).sorted().toArray();
    cursors.add(table.pointers(run.range(), numbers));
    countMax += here.stream().mapToLong(SegmentUse::pointers).sum();
  }

  /** The matching entries of each run in ascending order, from the newest run to the oldest. */
  List<EntryCursor> cursors() {
    return cursors;
  }

  /** The largest possible number of matching entries. */
  long countMax() {
    return countMax;
  }

  /**
   * Whether a newer run holds the key of an entry. Most runs on top were written by earlier moves.
   * They are newer than the entry's run but hold older entries, so their seqnos rule them out.
   *
   * @param run index of the entry's own run, which is the index of its cursor
   */
  boolean isShadowed(CursorEntry entry, int run) {
    if (run == 0) {
      return false;
    }
    int length = entry.keyLength();
    if (length > key.length) {
      key = new byte[2 * length];
    }
    entry.buffer().get(entry.keyOffset(), key, 0, length);
    long hash = KeyHash.hash(key, 0, length);
    long seqno = entry.seqno();
    for (int i = 0; i < run; i++) {
      if (tables.get(i).properties().seqnos().max() >= seqno
          && runs.get(i).range().contains(key, 0, length)
          && tables.get(i).mightContain(hash)
          && tables.get(i).find(key, 0, length, hash, found)) {
        return true;
      }
    }
    return false;
  }
}
