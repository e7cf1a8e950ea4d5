// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.List;

/** Creates cursors over everything that a snapshot sees. */
public final class ReadStateCursor {

  private ReadStateCursor() {}

  /**
   * Returns a cursor over the newest version, below a seqno, of each key in a read state,
   * tombstones included. The cursor may also show entries outside the range. The range only saves
   * reads of sources that hold no key in it.
   *
   * @param end seqnos below this are visible; all of them must be published
   */
  public static EntryCursor of(ReadState state, long end, KeyRange range, boolean descending) {
    List<EntryCursor> sources = new ArrayList<>();
    for (MemoryComponent component : state.memory()) {
      if (!component.isEmpty()) {
        sources.addAll(component.cursors(end, descending));
      }
    }
    addL0(state.files(), range, descending, sources);
    if (state.files().version().partitions().isEmpty()) {
      return MergingCursor.of(sources, descending);
    }
    return new MergingCursor(sources, new PartitionGroups(state.files(), descending), descending);
  }

  private static void addL0(
      PinnedVersion<Table> files, KeyRange range, boolean descending, List<EntryCursor> sources) {
    List<Run> l0 = files.version().l0();
    byte[] start = descending ? range.to() : range.from();
    int here = 0;
    for (int i = 0; i < l0.size(); i++) {
      sources.add(files.l0Table(i).cursor(range, descending));
      here += start == null || l0.get(i).range().contains(start) ? 1 : 0;
    }
    if (here > 0) {
      files.countSeeks(here, here);
    }
  }
}
