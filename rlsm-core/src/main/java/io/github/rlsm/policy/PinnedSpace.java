// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Space that links pin: a table's file stays whole until no run needs any slice of it, so what
 * other partitions have rewritten of it is neither used nor free.
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

  /** What the links of some partitions pin. */
  static PinnedSpace of(List<PartitionShape> l1) {
    return new PinnedSpace(l1);
  }

  /** The pinned bytes beyond a share of all tables' bytes. */
  long bytesBeyond(double share) {
    return fraction <= share ? 0 : (long) (bytes * (1 - share / fraction));
  }

  /** The share of all tables' bytes that is pinned. */
  double fraction() {
    return fraction;
  }

  /** The share of a run's table that runs use; 1 if all of it. */
  double use(RunShape run) {
    if (isWhole(run)) {
      return 1;
    }
    long used = usedBytes.getOrDefault(run.id(), 0L);
    return used >= run.tableBytes() ? 1 : (double) used / run.tableBytes();
  }

  /** The run of a partition, by index, whose table is used least; -1 if all are used wholly. */
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
