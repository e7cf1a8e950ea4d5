// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides when runs are moved or rewritten for the sake of scans, beyond what limits of their
 * number demand.
 *
 * <p>Nobody knows which partitions will be scanned, so this rents before it buys: a partition is
 * rewritten once scans have read as many bytes in vain there, a page for each extra seek, as
 * rewriting reads and writes. So the work is at most twice what it would have been with the future
 * known, and a store that is not scanned pays nothing.
 */
final class ScanPlanner {

  /** Bytes that one seek reads: a page. */
  private static final long SEEK_BYTES = 8 << 10;

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
