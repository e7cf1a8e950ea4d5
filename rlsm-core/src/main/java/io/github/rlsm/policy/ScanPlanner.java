// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides when runs are moved or rewritten for the sake of scans, beyond what limits of their
 * number demand, and when values are moved within the value log.
 *
 * <p>Nobody knows which partitions will be scanned, so this rents before it buys: a partition is
 * rewritten once scans have read as many bytes in vain there, a page for each extra seek, as
 * rewriting reads and writes. So the work is at most twice what it would have been with the future
 * known, and a store that is not scanned pays nothing.
 *
 * <p><b>Values.</b> Small values stand in the value log in the order in which they were written, so
 * a scan makes a read for each that is not in memory (WiscKey section 3.3.1 hides some of that
 * behind parallel reads; the device's limit stays). Once scans of a partition have paid for a move,
 * values of it are moved as they are to free segments: into segments of the partition's own, in the
 * order of keys. The oldest segments come first, so that partitions that are all scanned empty the
 * same ones, one after the other, and those go. Nothing is moved for scans while space is short:
 * moving for space makes order, too. What has been moved once is not moved again for scans; layers
 * of several moves are put together when their segments are collected.
 */
final class ScanPlanner {

  /** Bytes that one seek reads: a page. */
  private static final long SEEK_BYTES = 8 << 10;

  /** What a value costs that a move reads, in the order of places: half of what a scan waits. */
  private static final long ORDERED_SEEK_BYTES = SEEK_BYTES / 2;

  /** What a change of the levels costs beside the bytes it moves. */
  private static final long CHANGE_BYTES = 1 << 20;

  private final CleanPlanner cleans;
  private final VictimPicker victims;
  private final AppendPlanner appends;
  private final ScanCosts costs;
  private final Optional<CollectPlanner> collects;

  ScanPlanner(
      RunMetrics metrics,
      PolicySettings settings,
      ScanCosts costs,
      Optional<CollectPlanner> collects) {
    this.cleans = new CleanPlanner(settings);
    this.victims = new VictimPicker(settings.whenIdle());
    this.appends = new AppendPlanner(metrics, settings);
    this.costs = costs;
    this.collects = collects;
  }

  /** The move of runs out of L0 that scans have paid for; empty if there is none. */
  Optional<CompactPlan> compaction(LevelShape level, Busy busy) {
    long paid = costs.l0Seeks() * SEEK_BYTES;
    if (paid < CHANGE_BYTES) {
      return Optional.empty();
    }
    List<RunShape> picked = victims.pick(level, busy);
    if (picked.isEmpty()) {
      return Optional.empty();
    }
    CompactPlan plan = appends.plan(level, picked);
    return paid >= price(plan) && plan.targets().stream().noneMatch(busy::holds)
        ? Optional.of(plan)
        : Optional.empty();
  }

  /** The move of values that scans have paid for, the one they overpaid most. */
  Optional<CleanPlan> move(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (collects.isEmpty() || collects.get().isShort()) {
      return Optional.empty();
    }
    ValueUse use = collects.get().use();
    MovePlanner moves = collects.get().moves();
    CleanPlan best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      long paid = costs.strayValues(partition) * SEEK_BYTES;
      if (paid >= CHANGE_BYTES && mayBeCleaned.test(partition)) {
        Optional<CleanPlan> plan = move(partition, use, moves);
        double share = plan.isEmpty() ? 0 : paid / price(plan.get(), moves);
        if (share >= bestShare) {
          best = plan.get();
          bestShare = share;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static Optional<CleanPlan> move(
      PartitionShape partition, ValueUse use, MovePlanner moves) {
    Set<Integer> pointedTo = moves.bytes(partition).keySet();
    List<ValueSegmentShape> written = use.space().segments().stream()
        .filter(segment -> pointedTo.contains(segment.number()))
        .filter(segment -> !use.isInKeyOrder(segment.number()))
        .sorted(Comparator.comparingInt(ValueSegmentShape::number))
        .toList();
    return written.isEmpty()
        ? Optional.empty()
        : Optional.of(moves.plan(partition, written, CleanPlan.Reason.VALUES));
  }

  private static double price(CleanPlan plan, MovePlanner moves) {
    PartitionShape partition = plan.partition();
    double moved = moves.bytes(partition, plan.segments());
    double values = moved * partition.pointers() / Math.max(1, partition.valueBytes());
    return price(plan) + values * ORDERED_SEEK_BYTES + moved;
  }

  /** The rewrite that scans have paid for, the one they overpaid most; empty if there is none. */
  Optional<CleanPlan> clean(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    CleanPlan best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      long paid = costs.extraSeeks(partition) * SEEK_BYTES;
      if (paid >= CHANGE_BYTES && partition.depth() > 1 && mayBeCleaned.test(partition)) {
        BitSet deepest = Overlap.deepest(partition.runs());
        CleanPlan plan = cleans.forScans(partition, deepest);
        double share = paid * savedShare(plan, deepest) / price(plan);
        if (share >= bestShare) {
          best = plan;
          bestShare = share;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** Of the runs beyond the first over one key, the share that a rewrite saves. */
  private static double savedShare(CleanPlan plan, BitSet deepest) {
    double rewritten = deepest.get(plan.fromRun(), plan.toRun()).cardinality();
    return (rewritten - 1) / (deepest.cardinality() - 1);
  }

  private static double price(Plan plan) {
    return CHANGE_BYTES + 2.0 * plan.rewrittenBytes();
  }
}
