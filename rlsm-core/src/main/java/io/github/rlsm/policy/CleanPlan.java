// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;
import java.util.Set;

/**
 * Rewrites adjacent runs of a partition as one, or reads them to move values. The edit concerns
 * exactly these runs. They still have the same indexes when it is installed, because compactions
 * add runs only at the end.
 *
 * @param partition the partition as it was when the plan was made
 * @param fromRun index of the oldest run to rewrite
 * @param toRun index after the newest run to rewrite
 * @param dropsTombstones whether tombstones can be dropped, because no older run can have the same
 *     keys
 * @param reason why the clean is due
 * @param segments value segments to move values out of; not empty if and only if the reason is
 *     {@link Reason#SPACE} or {@link Reason#VALUES}
 * @param onTop whether the runs stay. If true, the entries whose values were moved become a new run
 *     just above these runs, and these runs' pointers into {@code segments} become stale. If false,
 *     one run replaces all of them
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

  /** The reason for a clean. */
  public enum Reason {
    /** Too many runs in total, or too many runs over one key. */
    RUNS,
    /** The share of shadowed entries and tombstones is too large. */
    GARBAGE,
    /** A run links a table that is mostly unused, and pins its space. */
    LINKS,
    /** Extra seeks of scans have cost more than the rewrite, see {@link ScanPlanner}. */
    SCANS,
    /** Scans of values out of key order have cost more than the move, see {@link ScanPlanner}. */
    VALUES,
    /**
     * The store takes too much space, and a rewrite would find dead values that can become holes.
     */
    HOLES,
    /** The store takes too much space, and value segments are to be reclaimed. */
    SPACE
  }

  /** Creates a plan that moves no values. */
  public CleanPlan(
      PartitionShape partition, int fromRun, int toRun, boolean dropsTombstones, Reason reason) {
    this(partition, fromRun, toRun, dropsTombstones, reason, Set.of(), false);
  }

  /** Checks the indexes, and that reason and segments agree. */
  public CleanPlan {
    segments = Set.copyOf(segments);
    if (segments.isEmpty() == (reason == Reason.SPACE || reason == Reason.VALUES)) {
      throw new IllegalArgumentException(
          "a clean for " + reason + " names the segments " + segments);
    }
    if (!segments.isEmpty() && toRun != partition.runs().size()) {
      throw new IllegalArgumentException("a move ends at run " + toRun + " of "
          + partition.runs().size() + ", below the newest run");
    }
    if (onTop && segments.isEmpty()) {
      throw new IllegalArgumentException(
          "a clean for " + reason + " moves no values, but is to write on top");
    }
    if (fromRun < 0 || fromRun >= toRun || toRun > partition.runs().size()) {
      throw new IllegalArgumentException("cannot rewrite runs " + fromRun + " to " + toRun + " of "
          + partition.runs().size());
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
