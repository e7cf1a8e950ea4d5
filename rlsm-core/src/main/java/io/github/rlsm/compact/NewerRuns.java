// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs in which a job looks up keys, as a read does, to find out whether an entry is shadowed. The
 * filters of the runs answer most lookups.
 *
 * <p>Threads: one at a time.
 */
final class NewerRuns {

  private final List<Run> runs = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();
  private final EntryView found = new EntryView();
  private byte[] key = new byte[64];

  /** Adds a run that is older than all runs before. */
  void add(Run run, Table table) {
    runs.add(run);
    tables.add(table);
  }

  /** Whether a run holds the key of an entry from an older run. */
  boolean hold(CursorEntry entry) {
    return hold(entry, runs.size());
  }

  /**
   * Whether one of the first runs holds the key of an entry. Most runs on top of a partition were
   * written by earlier moves. They are newer than the entry's run but hold older entries, so their
   * seqnos rule them out.
   *
   * @param count the number of runs that are newer than the run of the entry
   */
  boolean hold(CursorEntry entry, int count) {
    if (count == 0) {
      return false;
    }
    int length = entry.keyLength();
    if (length > key.length) {
      key = new byte[2 * length];
    }
    entry.buffer().get(entry.keyOffset(), key, 0, length);
    long hash = KeyHash.hash(key, 0, length);
    long seqno = entry.seqno();
    for (int i = 0; i < count; i++) {
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
