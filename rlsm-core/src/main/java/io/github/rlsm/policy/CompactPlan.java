// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves L0 runs into L1. Installing it removes the victims from L0 and, in the same step, gives
 * each target its range and adds the target's new runs, in order, after whatever runs its partition
 * has by then.
 *
 * @param victims the runs that leave L0, from oldest to newest
 * @param targets what becomes of them, in ascending key order, disjoint; every key of the victims
 *     lies in one
 */
public record CompactPlan(List<RunShape> victims, List<Target> targets) implements Plan {

  /** Takes copies. */
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
   * @param partition the partition as it is, or null for one to be made
   * @param range the partition's range once the plan is installed: as it was, or wider
   * @param runs what is added to its end, from oldest to newest
   */
  public record Target(@Nullable PartitionShape partition, KeyRange range, List<NewRun> runs) {

    /** Takes a copy. */
    public Target {
      runs = List.copyOf(runs);
    }

    /** Whether the partition is to be made. */
    public boolean isNewRange() {
      return partition == null;
    }

    /** Whether an existing partition's range grows. */
    public boolean isWidened() {
      return partition != null && !range.equals(partition.range());
    }
  }

  /** One run to be added to a partition. */
  public sealed interface NewRun {

    /** Estimate of the bytes to copy. */
    long rewrittenBytes();
  }

  /**
   * The slice itself becomes the run: no data is read or written.
   *
   * @param slice what to link
   */
  public record Link(Slice slice) implements NewRun {
    @Override
    public long rewrittenBytes() {
      return 0;
    }
  }

  /**
   * Slices are merged into one new table, the newest version of each key winning.
   *
   * @param slices from oldest to newest, at least one
   * @param dropsTombstones whether nothing older lies below the run, so that tombstones may go
   */
  public record Rewrite(List<Slice> slices, boolean dropsTombstones) implements NewRun {

    /** Takes a copy. */
    public Rewrite {
      slices = List.copyOf(slices);
    }

    @Override
    public long rewrittenBytes() {
      return slices.stream().mapToLong(slice -> slice.size().bytes()).sum();
    }
  }
}
