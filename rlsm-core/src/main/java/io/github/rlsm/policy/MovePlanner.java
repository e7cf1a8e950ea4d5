// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.policy.CleanPlan.Reason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans moves of a partition's values out of some segments: so much at once as is worth rewriting
 * its tables, and not so much that other work would have to wait for long.
 */
final class MovePlanner {

  /** Values that may be moved at once however small the partition. */
  static final long MOVED_BYTES_MIN = 128L << 20;

  /** Values that one job moves at most, by what its tables weigh: then those hardly count. */
  private static final int TABLES_MOVED_MAX = 6;

  private final ValueUse use;

  MovePlanner(ValueUse use) {
    this.use = use;
  }

  /** Bytes that a partition has in each segment that it points into. */
  Map<Integer, Long> bytes(PartitionShape partition) {
    Map<Integer, Long> sums = new HashMap<>();
    for (int i = 0; i < partition.runs().size(); i++) {
      use.bytes(partition, i).forEach((segment, bytes) -> sums.merge(segment, bytes, Long::sum));
    }
    return sums;
  }

  /** Bytes that a partition has in some segments; negative if it points into none of them. */
  long bytes(PartitionShape partition, Set<Integer> segments) {
    Map<Integer, Long> bytes = bytes(partition);
    bytes.keySet().retainAll(segments);
    return bytes.isEmpty()
        ? -1
        : bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The next move of a partition that points into at least one of some segments.
   *
   * @param segments in the order in which they are to be chosen
   */
  CleanPlan plan(PartitionShape partition, List<ValueSegmentShape> segments, Reason reason) {
    Map<Integer, Long> bytes = bytes(partition);
    long most = Math.max(MOVED_BYTES_MIN, TABLES_MOVED_MAX * partition.bytes());
    long moved = 0;
    Set<Integer> chosen = new HashSet<>();
    for (ValueSegmentShape segment : segments) {
      Long here = bytes.get(segment.number());
      if (here != null && (chosen.isEmpty() || moved + here <= most)) {
        chosen.add(segment.number());
        moved += here;
      }
    }
    return CleanPlanner.moving(partition, oldest(partition, chosen), chosen, reason);
  }

  private int oldest(PartitionShape partition, Set<Integer> segments) {
    int run = 0;
    while (use.bytes(partition, run).keySet().stream().noneMatch(segments::contains)) {
      run++;
    }
    return run;
  }
}
