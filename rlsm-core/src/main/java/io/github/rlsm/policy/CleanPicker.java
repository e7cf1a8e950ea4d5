// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Picks the most urgent clean of all partitions.
 *
 * <p>{@link CleanPlanner} decides which cleans are due within a partition. One criterion spans
 * partitions: when more than {@code pinnedFractionMax} of all tables' bytes are pinned, the run
 * whose table is used least is due. Its rewrite costs the fewest bytes for the space it frees.
 * Until the table is deleted, its other runs remain the next candidates.
 */
final class CleanPicker {

  private final CleanPlanner cleans;
  private final double pinnedFractionMax;

  CleanPicker(PolicySettings settings) {
    this.cleans = new CleanPlanner(settings);
    this.pinnedFractionMax = settings.pinnedFractionMax();
  }

  /** A clean, and how far it is past its threshold; see {@link CleanPlanner#urgency}. */
  record Choice(Plan.Clean plan, double urgency) {}

  /** The most urgent clean of the partitions that may be cleaned; the first of them on a tie. */
  Optional<Choice> pick(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    Choice within = mostUrgent(level, mayBeCleaned);
    PinnedSpace pinned = PinnedSpace.of(level.l1());
    double urgency = (pinned.fraction() - pinnedFractionMax) / (1 - pinnedFractionMax);
    if (urgency > 0 && (within == null || urgency > within.urgency)) {
      Optional<Plan.Clean> unlink = unlink(level, pinned, mayBeCleaned);
      if (unlink.isPresent()) {
        return unlink.map(plan -> new Choice(plan, urgency));
      }
    }
    return Optional.ofNullable(within);
  }

  private @Nullable Choice mostUrgent(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    PartitionShape mostUrgent = null;
    double most = 0;
    for (PartitionShape partition : level.l1()) {
      double urgency = cleans.urgency(partition);
      if (urgency > most && mayBeCleaned.test(partition)) {
        mostUrgent = partition;
        most = urgency;
      }
    }
    Optional<Plan.Clean> plan = mostUrgent == null ? Optional.empty() : cleans.plan(mostUrgent);
    return plan.isEmpty() ? null : new Choice(plan.get(), most);
  }

  private Optional<Plan.Clean> unlink(
      LevelShape level, PinnedSpace pinned, Predicate<PartitionShape> mayBeCleaned) {
    PartitionShape partitionOfLeast = null;
    int least = -1;
    double leastUse = 1;
    for (PartitionShape partition : level.l1()) {
      int run = pinned.leastUsed(partition);
      double use = run < 0 ? 1 : pinned.use(partition.runs().get(run));
      if (use < leastUse && mayBeCleaned.test(partition)) {
        partitionOfLeast = partition;
        least = run;
        leastUse = use;
      }
    }
    return partitionOfLeast == null
        ? Optional.empty()
        : Optional.of(cleans.unlink(partitionOfLeast, least));
  }

  /**
   * Computes the space that links pin. A table's file stays whole while any run uses a slice of it.
   * Slices that other partitions have rewritten still take space, but no run uses them.
   */
  static final class PinnedSpace {

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
}
