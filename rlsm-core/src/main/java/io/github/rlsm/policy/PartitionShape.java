// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * What a decision may know of one partition of L1.
 *
 * @param range the keys it is in charge of; not empty
 * @param runs its runs from oldest to newest, each with its span inside the range
 */
public record PartitionShape(KeyRange range, List<RunShape> runs) {

  /** Checks that the runs lie inside the range. */
  public PartitionShape {
    runs = List.copyOf(runs);
    if (range.isEmpty()) {
      throw new IllegalArgumentException("partition " + range + " is empty");
    }
    for (RunShape run : runs) {
      if (!range.covers(run.span())) {
        throw new IllegalArgumentException(
            "run " + run.id() + " spans " + run.span() + ", outside its partition " + range);
      }
    }
  }

  /** Bytes of all runs. */
  public long bytes() {
    return runs.stream().mapToLong(RunShape::bytes).sum();
  }

  /** Entries of all runs, shadowed ones included. */
  public long entries() {
    return runs.stream().mapToLong(RunShape::entries).sum();
  }

  /**
   * The share of entries that a rewrite of the whole partition would drop: shadowed entries and
   * tombstones; from 0 to 1, and 0 for an empty partition.
   */
  public double garbageFraction() {
    long entries = entries();
    long garbage =
        runs.stream().mapToLong(r -> r.deadEntries() + r.tombstones()).sum();
    return entries == 0 ? 0 : Math.min(1, (double) garbage / entries);
  }
}
