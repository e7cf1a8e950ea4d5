// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.memory.MemoryComponent;
import java.util.ArrayList;
import java.util.List;

/** Makes the cursor over everything a snapshot sees. */
public final class ViewCursor {

  private ViewCursor() {}

  /**
   * The newest version, below a seqno, of each key in a view, tombstones included. Entries outside
   * the range may show as well: the range only keeps sources from being read in vain.
   *
   * @param end seqnos below this are seen; all of them must be published
   */
  public static EntryCursor of(View view, long end, KeyRange range, boolean descending) {
    List<EntryCursor> sources = new ArrayList<>();
    for (MemoryComponent component : view.memory()) {
      if (!component.isEmpty()) {
        sources.addAll(component.cursors(end, descending));
      }
    }
    int l0 = view.files().version().l0().size();
    for (int i = 0; i < l0; i++) {
      sources.add(view.files().l0Table(i).cursor(range, descending));
    }
    view.files().countSeeks(l0, l0);
    if (view.files().version().partitions().isEmpty()) {
      return MergingCursor.of(sources, descending);
    }
    return new MergingCursor(sources, new PartitionGroups(view.files(), descending), descending);
  }
}
