// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
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
  private final NewerRuns runs = new NewerRuns();

  /** For each run, the cursor over its matching entries. */
  private final List<EntryCursor> cursors = new ArrayList<>();

  private long countMax;

  /** Creates a scan without runs. */
  SegmentPointerScan(Set<Integer> segments) {
    this.segments = segments;
  }

  /** Adds a run that is older than all runs before. */
  void add(Run run, Table table) {
    List<SegmentUse> here = table.properties().segments().stream()
        .filter(use -> segments.contains(use.segment()) && !run.isMovedOutOf(use.segment()))
        .toList();
    runs.add(run, table);
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
   * Whether a newer run of the scan holds the key of an entry.
   *
   * @param run index of the entry's own run, which is the index of its cursor
   */
  boolean isShadowed(CursorEntry entry, int run) {
    return runs.hold(entry, run);
  }
}
