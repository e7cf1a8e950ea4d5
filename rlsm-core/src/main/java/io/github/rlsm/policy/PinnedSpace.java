// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the space that links pin. A table's file stays whole while any run uses a slice of it.
 * Slices that other partitions have rewritten still take space, but no run uses them.
 */
final class PinnedSpace {

  private final Map<Long, Long> usedBytes = new HashMap<>();
  private final double bytes;
  private final double fraction;

  private PinnedSpace(List<PartitionShape> l1) {
    Map<Long, Long> tableBytes = new HashMap<>();
    double used = 0;
    double pinned = 0;
    for (PartitionShape partition : l1) {
      for (RunShape run : partition.runs()) {
        if (isWhole(run)) {
          used += run.bytes();
        } else {
          usedBytes.merge(run.id(), run.bytes(), Long::sum);
          tableBytes.put(run.id(), run.tableBytes());
        }
      }
    }
    for (Map.Entry<Long, Long> table : usedBytes.entrySet()) {
      used += table.getValue();
      pinned += Math.max(0, tableBytes.getOrDefault(table.getKey(), 0L) - table.getValue());
    }
    this.bytes = pinned;
    this.fraction = pinned == 0 ? 0 : pinned / (used + pinned);
  }

  private static boolean isWhole(RunShape run) {
    return run.bytes() >= run.tableBytes();
  }

  /** Computes the space that the links of the given partitions pin. */
  static PinnedSpace of(List<PartitionShape> l1) {
    return new PinnedSpace(l1);
  }

  /** The pinned bytes that exceed a share of all tables' bytes. */
  long bytesBeyond(double share) {
    return fraction <= share ? 0 : (long) (bytes * (1 - share / fraction));
  }

  /** The pinned share of all tables' bytes. */
  double fraction() {
    return fraction;
  }

  /** The share of a run's table that runs use; 1 if all of it is in use. */
  double use(RunShape run) {
    if (isWhole(run)) {
      return 1;
    }
    long used = usedBytes.getOrDefault(run.id(), 0L);
    return used >= run.tableBytes() ? 1 : (double) used / run.tableBytes();
  }

  /**
   * The index of the run whose table has the smallest share in use; -1 if all tables are in full
   * use.
   */
  int leastUsed(PartitionShape partition) {
    int least = -1;
    double leastUse = 1;
    for (int i = 0; i < partition.runs().size(); i++) {
      double use = use(partition.runs().get(i));
      if (use < leastUse) {
        least = i;
        leastUse = use;
      }
    }
    return least;
  }
}
