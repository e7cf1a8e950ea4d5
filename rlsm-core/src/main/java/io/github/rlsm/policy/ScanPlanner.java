// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides when runs are moved or rewritten to make scans faster, beyond the limits on their number.
 * Also decides when values are moved within the value log for scans: when scans have paid for it,
 * or when the store is not written to.
 *
 * <p>Which partitions will be scanned is not predictable, so the planner rents before it buys. A
 * partition is rewritten once scans have read as many unnecessary bytes in it as the rewrite reads
 * and writes; each extra seek counts as one page. So the work is at most twice the optimum that
 * knows the future, and a store without scans does no such work.
 *
 * <p><b>Values.</b> Small values are in the value log in write order, so a scan makes one read for
 * each value that is not in memory. WiscKey section 3.3.1 hides some of this behind parallel reads,
 * but the device's limit remains. Once scans of a partition have paid for a move, some of its
 * values are moved to segments that only this partition uses, in key order. It is the same kind of
 * move that reclaims segments. It takes the oldest segments first. So partitions that are all
 * scanned empty the same segments one after the other, and these segments can be deleted.
 *
 * <p>No value is moved for scans while space is short: moves for space also produce key order. A
 * value that was moved once is not moved again for scans. Layers from several moves are merged when
 * their segments are collected.
 *
 * <p><b>Without writes</b> the planner does not wait for scans, see {@link #moveAtRest}. DiffKV
 * (ATC '21) and Parallax (SoCC '21) also put values of medium size into key order, when they merge
 * tables. That would write each value twice while clients write.
 */
final class ScanPlanner {

  /** Bytes that one seek reads: a page. */
  private static final long SEEK_BYTES = 8 << 10;

  /**
   * The cost of one value that a move reads in file order, if it does not read the whole segment:
   * half the cost for a scan.
   */
  private static final long ORDERED_SEEK_BYTES = SEEK_BYTES / 2;

  /** The maximum number of segments of a partition that are looked up in memory. */
  private static final int SAMPLED_SEGMENTS = 32;

  /** The share of segments in memory from which all values count as in memory. */
  private static final double IN_MEMORY_MIN = 0.9;

  private final VictimPicker victims;
  private final AppendPlanner appends;
  private final ScanCosts costs;
  private final Optional<CollectPlanner> collects;

  ScanPlanner(
      RunMetrics metrics,
      PolicySettings settings,
      ScanCosts costs,
      Optional<CollectPlanner> collects) {
    this.victims = new VictimPicker(settings.whenIdle());
    this.appends = new AppendPlanner(metrics, settings);
    this.costs = costs;
    this.collects = collects;
  }

  /** The compaction that scans have paid for; empty if there is none. */
  Optional<Plan.Compaction> compaction(LevelShape level, RunningPlans inProgress) {
    long paid = costs.l0Seeks() * SEEK_BYTES;
    if (paid < CleanPlanner.CHANGE_BYTES) {
      return Optional.empty();
    }
    List<RunShape> picked = victims.pick(level, inProgress);
    if (picked.isEmpty()) {
      return Optional.empty();
    }
    Plan.Compaction plan = appends.plan(level, picked);
    return paid >= CleanPlanner.price(plan) && plan.targets().stream().noneMatch(inProgress::holds)
        ? Optional.of(plan)
        : Optional.empty();
  }

  /** The move of values that scans have overpaid most; empty if scans have paid for none. */
  Optional<Plan.Clean> move(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (collects.isEmpty() || collects.get().isShort()) {
      return Optional.empty();
    }
    ValueUse use = collects.get().use();
    MovePlanner moves = collects.get().moves();
    Plan.Clean best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      long paid = costs.strayValues(partition) * SEEK_BYTES;
      if (paid >= CleanPlanner.CHANGE_BYTES && mayBeCleaned.test(partition)) {
        Optional<Plan.Clean> plan = move(partition, use, moves);
        double share = plan.isEmpty() ? 0 : paid / price(plan.get(), use, moves);
        if (share >= bestShare) {
          best = plan.get();
          bestShare = share;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static Optional<Plan.Clean> move(
      PartitionShape partition, ValueUse use, MovePlanner moves) {
    List<ValueSegmentShape> written = written(partition, use, moves);
    return written.isEmpty()
        ? Optional.empty()
        : Optional.of(moves.plan(partition, written, Plan.Clean.Reason.VALUES));
  }

  /** The segments in write order that a partition points into, oldest first. */
  private static List<ValueSegmentShape> written(
      PartitionShape partition, ValueUse use, MovePlanner moves) {
    Set<Integer> pointedTo = moves.bytes(partition).keySet();
    return use.space().segments().stream()
        .filter(segment -> pointedTo.contains(segment.number()))
        .filter(segment -> !use.isInKeyOrder(partition, segment.number()))
        .sorted(Comparator.comparingInt(ValueSegmentShape::number))
        .toList();
  }

  /**
   * The move of a store without writes: of the partition with the most values in write order. Empty
   * in these cases:
   *
   * <ul>
   *   <li>Values are longer than {@link ScanCosts#STRAY_BYTES_MAX} on average, or are in tables.
   *   <li>The values already lie in key order, because a move or clients wrote them so.
   *   <li>The partition's values are in memory. In memory the order hardly matters to scans.
   *   <li>Fewer bytes are in write order than the partition has in tables, which the move reads and
   *       rewrites in part. So a store that is often idle for a moment does not rewrite its tables
   *       for a few values each time.
   * </ul>
   *
   * <p>If space is short, these moves free space too. All of them together move no more than moves
   * for space followed by these moves, and read each segment once.
   *
   * <p>Each value is moved at most once for this reason. So it adds at most 1 to write
   * amplification.
   */
  Optional<Plan.Clean> moveAtRest(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (collects.isEmpty() || !collects.get().isAtRest()) {
      return Optional.empty();
    }
    ValueUse use = collects.get().use();
    MovePlanner moves = collects.get().moves();
    PartitionShape most = null;
    List<ValueSegmentShape> inWriteOrder = List.of();
    long mostBytes = CleanPlanner.CHANGE_BYTES;
    for (PartitionShape partition : level.l1()) {
      List<ValueSegmentShape> written = written(partition, use, moves);
      long bytes = bytes(written, moves.bytes(partition));
      boolean isWorthIt =
          bytes > mostBytes && bytes > partition.bytes() && hasShortValues(partition);
      if (isWorthIt && mayBeCleaned.test(partition)) {
        most = partition;
        mostBytes = bytes;
        inWriteOrder = written;
      }
    }
    return most == null || isInMemory(most, use, moves)
        ? Optional.empty()
        : Optional.of(moves.plan(most, inWriteOrder, Plan.Clean.Reason.VALUES));
  }

  private static long bytes(List<ValueSegmentShape> segments, Map<Integer, Long> bytes) {
    return segments.stream()
        .mapToLong(segment -> bytes.getOrDefault(segment.number(), 0L))
        .sum();
  }

  private static boolean hasShortValues(PartitionShape partition) {
    return partition.valueBytes() <= ScanCosts.STRAY_BYTES_MAX * partition.pointers();
  }

  /**
   * Whether nearly all values of a partition are in memory, in write order or in key order. A
   * sample of its segments decides. Without the moved values, the planner would stop in the middle:
   * moves bring values into memory.
   */
  private static boolean isInMemory(PartitionShape partition, ValueUse use, MovePlanner moves) {
    List<Integer> segments = moves.bytes(partition).keySet().stream().sorted().toList();
    int step = (segments.size() - 1) / SAMPLED_SEGMENTS + 1;
    int sampled = 0;
    int found = 0;
    for (int i = 0; i < segments.size(); i += step) {
      sampled++;
      found += use.isInMemory(segments.get(i)) ? 1 : 0;
    }
    return found >= IN_MEMORY_MIN * sampled;
  }

  /**
   * The cost of a move. It reads its segments from front to back. So a partition with many values
   * in them costs no more than all bytes of the segments, and no seeks.
   */
  private static double price(Plan.Clean plan, ValueUse use, MovePlanner moves) {
    PartitionShape partition = plan.partition();
    double moved = moves.bytes(partition, plan.segments());
    double values = moved * partition.pointers() / Math.max(1, partition.valueBytes());
    double all = use.space().segments().stream()
        .filter(segment -> plan.segments().contains(segment.number()))
        .mapToLong(ValueSegmentShape::totalBytes)
        .sum();
    return CleanPlanner.price(plan) + Math.min(values * ORDERED_SEEK_BYTES, all) + moved;
  }

  /** The rewrite that scans have overpaid most; empty if scans have paid for none. */
  Optional<Plan.Clean> clean(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    Plan.Clean best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      long paid = costs.extraSeeks(partition) * SEEK_BYTES;
      if (paid >= CleanPlanner.CHANGE_BYTES && mayBeCleaned.test(partition)) {
        Optional<CleanPlanner.ForScans> rewrite = CleanPlanner.forScans(partition);
        double share = rewrite.isEmpty() ? 0 : paid / rewrite.get().price();
        if (share >= bestShare) {
          best = rewrite.get().plan();
          bestShare = share;
        }
      }
    }
    return Optional.ofNullable(best);
  }
}
