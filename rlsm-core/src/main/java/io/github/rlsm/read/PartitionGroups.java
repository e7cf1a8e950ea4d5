// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * Presents level 1 as groups of a merge: one group for each partition, its runs newest first.
 *
 * <p>Threads: one thread at a time.
 */
final class PartitionGroups implements MergingCursor.Groups {

  private final PinnedVersion<Table> files;
  private final boolean descending;
  private final int count;
  private int index;

  /** Presents all of level 1 of a pinned version. */
  PartitionGroups(PinnedVersion<Table> files, boolean descending) {
    this.files = files;
    this.descending = descending;
    this.count = files.version().partitions().size();
  }

  @Override
  public List<EntryCursor> first() {
    index = descending ? count - 1 : 0;
    return open();
  }

  @Override
  public List<EntryCursor> seek(byte[] key, int offset, int length) {
    int floor = files.version().floorPartition(key, offset, length);
    index = !descending && floor < 0 ? 0 : floor;
    if (index >= 0 && index < count) {
      countSeeks(files.partition(index), key, offset, length);
    }
    return open();
  }

  @Override
  public List<EntryCursor> next() {
    index += descending ? -1 : 1;
    return open();
  }

  private List<EntryCursor> open() {
    if (index < 0 || index >= count) {
      return List.of();
    }
    LivePartition<Table> partition = files.partition(index);
    List<Run> runs = partition.partition().runs();
    KeyRange range = partition.partition().range();
    List<EntryCursor> cursors = new ArrayList<>(runs.size());
    for (int i = runs.size() - 1; i >= 0; i--) {
      KeyRange keys = range.intersection(runs.get(i).range());
      cursors.add(partition.table(i).cursor(keys, descending));
    }
    return cursors;
  }

  /**
   * Counts the runs whose ranges contain the start key of a scan, except the first such run, which
   * must be read anyway.
   */
  private void countSeeks(LivePartition<Table> partition, byte[] key, int offset, int length) {
    int here = 0;
    for (Run run : partition.partition().runs()) {
      here += run.range().contains(key, offset, length) ? 1 : 0;
    }
    if (here > 1) {
      partition.countExtraSeeks(here - 1);
      files.countSeeks(0, here - 1);
    }
  }
}
