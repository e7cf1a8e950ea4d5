// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves L0 runs into L1. The edit removes the victims from L0. In the same step it gives each
 * target its range and appends the target's new runs, in order. They follow all runs that the
 * partition has when the edit is installed.
 *
 * @param victims the runs that leave L0, from oldest to newest
 * @param targets the partitions that get the victims' keys, in ascending key order and disjoint;
 *     each key of the victims lies in one target
 */
public record CompactPlan(List<RunShape> victims, List<Target> targets) implements Plan {

  /** Copies the lists. */
  public CompactPlan {
    victims = List.copyOf(victims);
    targets = List.copyOf(targets);
  }

  @Override
  public long rewrittenBytes() {
    return targets.stream()
        .flatMap(target -> target.runs().stream())
        .mapToLong(NewRun::rewrittenBytes)
        .sum();
  }

  /**
   * A partition that gets new runs.
   *
   * @param partition the partition before the plan, or null to create one
   * @param range the partition's range after the plan: unchanged or wider
   * @param runs the runs to append, from oldest to newest
   */
  public record Target(@Nullable PartitionShape partition, KeyRange range, List<NewRun> runs) {

    /** Copies the list. */
    public Target {
      runs = List.copyOf(runs);
    }

    /** Whether the plan creates the partition. */
    public boolean isNewRange() {
      return partition == null;
    }

    /** Whether the plan widens an existing partition. */
    public boolean isWidened() {
      return partition != null && !range.equals(partition.range());
    }
  }

  /** A run to append to a partition. */
  public sealed interface NewRun {

    /** Estimated bytes to copy. */
    long rewrittenBytes();
  }

  /**
   * Links a slice as a run: no data is read or written.
   *
   * @param slice the slice to link
   */
  public record Link(Slice slice) implements NewRun {
    @Override
    public long rewrittenBytes() {
      return 0;
    }
  }

  /**
   * Merges slices into a new table, keeping the newest version of each key.
   *
   * @param slices from oldest to newest, at least one
   * @param dropsTombstones whether the new run is the oldest of its partition, so that its
   *     tombstones shadow nothing and can be dropped
   */
  public record Rewrite(List<Slice> slices, boolean dropsTombstones) implements NewRun {

    /** Copies the list. */
    public Rewrite {
      slices = List.copyOf(slices);
    }

    @Override
    public long rewrittenBytes() {
      return slices.stream().mapToLong(slice -> slice.size().bytes()).sum();
    }
  }
}
