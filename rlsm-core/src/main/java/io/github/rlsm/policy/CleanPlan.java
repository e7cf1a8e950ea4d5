// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;
import java.util.Set;

/**
 * Rewrites neighbouring runs of a partition as one, or reads them to move values. Installing it
 * concerns exactly these runs, which still stand at the same indexes then: compactions only add at
 * the end.
 *
 * @param partition the partition as it was when the plan was made
 * @param fromRun index of the oldest run to rewrite
 * @param toRun index after the newest one
 * @param dropsTombstones whether no run older than these can hold any of their keys, so that
 *     tombstones may go
 * @param reason what made it due
 * @param segments value segments whose values are moved to new ones; not empty if and only if the
 *     reason is {@link Reason#SPACE} or {@link Reason#VALUES}
 * @param onTop whether the runs stay, but for what they held in those segments, and the entries
 *     whose values were moved become a run just above them; if not, one run takes the place of all
 */
public record CleanPlan(
    PartitionShape partition,
    int fromRun,
    int toRun,
    boolean dropsTombstones,
    Reason reason,
    Set<Integer> segments,
    boolean onTop)
    implements Plan {

  /** Why a partition is cleaned. */
  public enum Reason {
    /** Too many runs, or too many over one key. */
    RUNS,
    /** Too large a share of shadowed entries and tombstones. */
    GARBAGE,
    /** A run links a table that is hardly used otherwise and pins its space. */
    LINKS,
    /** Scans have paid for more runs than the rewrite costs, see {@link ScanPlanner}. */
    SCANS,
    /** Scans have paid for values out of the order of keys, see {@link ScanPlanner}. */
    VALUES,
    /** The store takes too much space, and dead values that are not known yet can be holes. */
    HOLES,
    /** The store takes too much space, and value segments are to be freed. */
    SPACE
  }

  /** A plan that leaves values in the segments where they are. */
  public CleanPlan(
      PartitionShape partition, int fromRun, int toRun, boolean dropsTombstones, Reason reason) {
    this(partition, fromRun, toRun, dropsTombstones, reason, Set.of(), false);
  }

  /** Checks the indexes. */
  public CleanPlan {
    segments = Set.copyOf(segments);
    if (segments.isEmpty() == (reason == Reason.SPACE || reason == Reason.VALUES)) {
      throw new IllegalArgumentException(reason + " with segments " + segments);
    }
    if (!segments.isEmpty() && toRun != partition.runs().size()) {
      throw new IllegalArgumentException("a move that stops below the newest run");
    }
    if (onTop && segments.isEmpty()) {
      throw new IllegalArgumentException(reason + " moves nothing, so nothing can be on top");
    }
    if (fromRun < 0 || fromRun >= toRun || toRun > partition.runs().size()) {
      throw new IllegalArgumentException(
          "runs " + fromRun + " to " + toRun + " of " + partition.runs().size());
    }
  }

  /** The runs to read, from oldest to newest. */
  public List<RunShape> runs() {
    return partition.runs().subList(fromRun, toRun);
  }

  @Override
  public long rewrittenBytes() {
    return runs().stream().mapToLong(RunShape::bytes).sum();
  }
}
