// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;

/**
 * Rewrites neighbouring runs of a partition as one. Installing it replaces exactly these runs,
 * which still stand at the same indexes then: compactions only add at the end.
 *
 * @param partition the partition as it was when the plan was made
 * @param fromRun index of the oldest run to rewrite
 * @param toRun index after the newest one
 * @param dropsTombstones whether no run older than these can hold any of their keys, so that
 *     tombstones may go. It speaks of the levels only: whoever could still put an older version
 *     back (a value-log collection under way) must keep the tombstone alive by other means.
 * @param reason what made it due; {@link Reason#VALUES} also says that small values in the value
 *     log are to be taken into the new tables
 */
public record CleanPlan(
    PartitionShape partition, int fromRun, int toRun, boolean dropsTombstones, Reason reason)
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
    /** Scans have paid for values in the value log, one by one, see {@link ScanPlanner}. */
    VALUES
  }

  /** Checks the indexes. */
  public CleanPlan {
    if (fromRun < 0 || fromRun >= toRun || toRun > partition.runs().size()) {
      throw new IllegalArgumentException(
          "runs " + fromRun + " to " + toRun + " of " + partition.runs().size());
    }
  }

  /** The runs to rewrite, from oldest to newest. */
  public List<RunShape> runs() {
    return partition.runs().subList(fromRun, toRun);
  }

  @Override
  public long rewrittenBytes() {
    long tables = runs().stream().mapToLong(RunShape::bytes).sum();
    return reason == Reason.VALUES
        ? tables + runs().stream().mapToLong(RunShape::valueBytes).sum()
        : tables;
  }
}
