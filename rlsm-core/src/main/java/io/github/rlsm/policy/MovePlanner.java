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
 * Plans moves of a partition's values out of some segments: not so much at once that other work
 * would have to wait for long.
 *
 * <p>A move has to read what the partition has in its tables. It writes a run on top of them with
 * the entries that have moved, as a compaction appends to runs that it does not touch (RLSM section
 * 3.2); so little can be moved at once, and little stands in two places, without writing the tables
 * each time. Only when so many entries have become garbage by moves and by overwriting that the
 * tables would be due for a rewrite, the move rewrites them along the way.
 */
final class MovePlanner {

  /** Values that one job moves at most, by what its tables weigh: then those hardly count. */
  private static final int TABLES_MOVED_MAX = 6;

  private final ValueUse use;
  private final long movedBytesMin;
  private final double deadFractionMax;

  /**
   * Plans by what there is.
   *
   * @param movedBytesMin values that may be moved at once however small the partition
   * @param deadFractionMax the share of garbage among a partition's entries above which its tables
   *     are written anew
   */
  MovePlanner(ValueUse use, long movedBytesMin, double deadFractionMax) {
    this.use = use;
    this.movedBytesMin = movedBytesMin;
    this.deadFractionMax = deadFractionMax;
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
    long most = Math.max(movedBytesMin, TABLES_MOVED_MAX * partition.bytes());
    long moved = 0;
    Set<Integer> chosen = new HashSet<>();
    for (ValueSegmentShape segment : segments) {
      Long here = bytes.get(segment.number());
      if (here != null && (chosen.isEmpty() || moved + here <= most)) {
        chosen.add(segment.number());
        moved += here;
      }
    }
    boolean onTop = garbageFraction(partition, moved) <= deadFractionMax;
    return CleanPlanner.moving(partition, oldest(partition, chosen), chosen, reason, onTop);
  }

  /** The share of a partition's entries that are garbage if so much more is moved on top. */
  private static double garbageFraction(PartitionShape partition, long movedBytes) {
    double entries = Math.max(1, partition.entries());
    double values = Math.max(1, partition.valueBytes());
    double moved = Math.min(entries, movedBytes / values * partition.pointers());
    return (partition.garbageFraction() * entries + moved) / (entries + moved);
  }

  private int oldest(PartitionShape partition, Set<Integer> segments) {
    int run = 0;
    while (use.bytes(partition, run).keySet().stream().noneMatch(segments::contains)) {
      run++;
    }
    return run;
  }
}
