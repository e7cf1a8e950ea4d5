// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableProperties.SegmentUse;
import io.github.rlsm.version.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The entries of some neighbouring runs of a partition that lead into some segments, but for those
 * where a move has let go of all that the run had there.
 *
 * <p>They are few of what the runs hold. So the runs are not merged: each is looked through for
 * these entries alone, and whether another entry shadows one of them is looked up, as a reader
 * would.
 *
 * <p>Threads: one at a time.
 */
final class LeadingInto {

  private final Set<Integer> segments;
  private final List<Run> runs = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();

  /** For each run, what it is read by. */
  private final List<EntryCursor> cursors = new ArrayList<>();

  private final EntryView found = new EntryView();
  private byte[] key = new byte[64];

  /** Leading into these segments, in no runs yet. */
  LeadingInto(Set<Integer> segments) {
    this.segments = segments;
  }

  /** Adds a run, older than all before. */
  void add(Run run, Table table) {
    int[] here = table.properties().segments().stream()
        .mapToInt(SegmentUse::segment)
        .filter(segment -> segments.contains(segment) && !run.isMovedOutOf(segment))
        .sorted()
        .toArray();
    runs.add(run);
    tables.add(table);
    cursors.add(table.pointers(run.range(), here));
  }

  /** The entries of each run, ascending; the newest run's first. */
  List<EntryCursor> cursors() {
    return cursors;
  }

  /**
   * Whether a newer run holds the key of an entry.
   *
   * @param run index of the entry's own run: that of its cursor
   */
  boolean isShadowed(EntryCursor entry, int run) {
    if (run == 0) {
      return false;
    }
    int length = entry.keyLength();
    if (length > key.length) {
      key = new byte[2 * length];
    }
    entry.keyBuffer().get(entry.keyOffset(), key, 0, length);
    long hash = KeyHash.hash(key, 0, length);
    for (int i = 0; i < run; i++) {
      if (runs.get(i).range().contains(key, 0, length)
          && tables.get(i).mightContain(hash)
          && tables.get(i).find(key, 0, length, hash, found)) {
        return true;
      }
    }
    return false;
  }
}
