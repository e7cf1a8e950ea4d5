// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Presents level 1 as groups of a merge: one group for each partition, its runs newest first.
 *
 * <p>Threads: one thread at a time.
 */
final class PartitionGroups implements MergingCursor.Groups {

  private final PinnedVersion<Table> files;
  private final boolean descending;
  private final long wanted;
  private final int count;
  private int index;

  /** The runs of the group, newest first, as indices into the runs of the partition. */
  private int[] members = new int[0];

  /**
   * Presents all of level 1 of a pinned version.
   *
   * @param wanted how many entries the caller probably reads
   */
  PartitionGroups(PinnedVersion<Table> files, boolean descending, long wanted) {
    this.files = files;
    this.descending = descending;
    this.wanted = wanted;
    this.count = files.version().partitions().size();
  }

  @Override
  public int first() {
    index = descending ? count - 1 : 0;
    return take(null, 0, 0);
  }

  @Override
  public int next() {
    index += descending ? -1 : 1;
    return take(null, 0, 0);
  }

  @Override
  public int seek(byte[] key, int offset, int length) {
    int floor = files.version().floorPartition(key, offset, length);
    index = !descending && floor < 0 ? 0 : floor;
    int taken = take(key, offset, length);
    return taken > 0 ? taken : next();
  }

  /**
   * Makes the runs of a partition the group, except runs that end before a key. Returns their
   * number; 0 if the index is outside level 1.
   *
   * @param key null to take all runs
   */
  private int take(byte @Nullable [] key, int offset, int length) {
    if (index < 0 || index >= count) {
      return 0;
    }
    List<Run> runs = files.partition(index).partition().runs();
    members = new int[runs.size()];
    int taken = 0;
    for (int i = runs.size() - 1; i >= 0; i--) {
      if (key == null || !endsBefore(runs.get(i).range(), key, offset, length)) {
        members[taken++] = i;
      }
    }
    return taken;
  }

  /** Whether all keys of a range precede a key in the direction of the merge. */
  private boolean endsBefore(KeyRange keys, byte[] key, int offset, int length) {
    byte[] end = descending ? keys.from() : keys.to();
    if (end == null) {
      return false;
    }
    int order = KeyOrder.compare(end, 0, end.length, key, offset, length);
    return descending ? order > 0 : order <= 0;
  }

  @Override
  public byte @Nullable [] start(int source) {
    KeyRange keys =
        files.partition(index).partition().runs().get(members[source]).range();
    return descending ? keys.to() : keys.from();
  }

  @Override
  public EntryCursor open(int source) {
    LivePartition<Table> partition = files.partition(index);
    List<Run> runs = partition.partition().runs();
    KeyRange range = partition.partition().range();
    int i = members[source];
    KeyRange keys = range.intersection(runs.get(i).range());
    return partition.table(i).cursor(keys, descending, wanted);
  }
}
