// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides when runs are moved or rewritten for the sake of scans, beyond what limits of their
 * number demand, and when values are taken out of the value log.
 *
 * <p>Nobody knows which partitions will be scanned, so this rents before it buys: a partition is
 * rewritten once scans have read as many bytes in vain there, a page for each extra seek, as
 * rewriting reads and writes. So the work is at most twice what it would have been with the future
 * known, and a store that is not scanned pays nothing.
 *
 * <p><b>Values.</b> What a scan reads of the value log is in the order in which it was written, a
 * seek for each value that is not in memory (WiscKey section 3.3.1 hides some of that behind
 * parallel reads; the device's limit stays). Small values of a partition that scans keep paying for
 * are taken into its tables, where they stand in key order. That is a partition's own affair: where
 * nobody scans, values stay where they are written once, and new values go to the value log
 * everywhere. A partition that has paid counts with its values when it is split or merged, so that
 * no rewrite gets larger than others are.
 */
final class ScanPlanner {

  /** Bytes that one seek reads: a page. */
  private static final long SEEK_BYTES = 8 << 10;

  /**
   * What a value costs that is read among many others asked for together and in the order of their
   * places: measured, half of what scans wait for one.
   */
  private static final long ORDERED_SEEK_BYTES = SEEK_BYTES / 2;

  /** What a change of the levels costs beside the bytes it moves. */
  private static final long CHANGE_BYTES = 1 << 20;

  private final CleanPlanner cleans;
  private final VictimPicker victims;
  private final AppendPlanner appends;
  private final ScanCosts costs;

  ScanPlanner(RunMetrics metrics, PolicySettings settings, ScanCosts costs) {
    this.cleans = new CleanPlanner(settings);
    this.victims = new VictimPicker(settings.whenIdle());
    this.appends = new AppendPlanner(metrics, settings);
    this.costs = costs;
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

  /** Bytes of a partition, with its values if it is about to take them in. */
  long size(PartitionShape partition) {
    return valueShare(partition) >= 1
        ? partition.bytes() + partition.valueBytes()
        : partition.bytes();
  }

  /** Of what it costs to take a partition's values in, the part that scans have paid. */
  private double valueShare(PartitionShape partition) {
    long paid = costs.strayValues(partition) * SEEK_BYTES;
    long pointers = partition.pointers();
    if (paid == 0
        || pointers == 0
        || partition.valueBytes() > pointers * ScanCosts.STRAY_BYTES_MAX) {
      return 0;
    }
    CleanPlan plan = cleans.forValues(partition);
    long tables = plan.runs().stream().mapToLong(RunShape::bytes).sum();
    double price = pointers * ORDERED_SEEK_BYTES + partition.valueBytes() + 2.0 * tables;
    return paid / Math.max(CHANGE_BYTES, price);
  }

  /** The rewrite that scans have paid for, the one they overpaid most; empty if there is none. */
  Optional<CleanPlan> clean(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    CleanPlan best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      double valueShare = valueShare(partition);
      if (valueShare >= bestShare && mayBeCleaned.test(partition)) {
        best = cleans.forValues(partition);
        bestShare = valueShare;
      }
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
