// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
    return paid >= CHANGE_BYTES + 2 * plan.rewrittenBytes()
            && plan.targets().stream().noneMatch(busy::holds)
        ? Optional.of(plan)
        : Optional.empty();
  }

  /** The rewrite that scans have paid for, the one they overpaid most; empty if there is none. */
  Optional<CleanPlan> clean(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    CleanPlan best = null;
    double bestShare = 1;
    for (PartitionShape partition : level.l1()) {
      CleanPlan plan = payable(partition);
      if (plan != null && mayBeCleaned.test(partition)) {
        double share = share(plan, partition);
        if (share >= bestShare) {
          best = plan;
          bestShare = share;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private @Nullable CleanPlan payable(PartitionShape partition) {
    boolean paidForChange = costs.extraSeeks(partition) * SEEK_BYTES >= CHANGE_BYTES;
    return paidForChange && partition.runs().size() > 1 ? cleans.forScans(partition) : null;
  }

  /** What scans have paid for the runs that a rewrite saves, divided by its price. */
  private double share(CleanPlan plan, PartitionShape partition) {
    double extra = partition.runs().size() - 1;
    double saved = plan.toRun() - plan.fromRun() - 1;
    double paid = costs.extraSeeks(partition) * (double) SEEK_BYTES * saved / extra;
    return paid / (CHANGE_BYTES + 2.0 * plan.rewrittenBytes());
  }
}
