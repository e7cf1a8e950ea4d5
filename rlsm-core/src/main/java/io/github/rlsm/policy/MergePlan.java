// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * Merges two adjacent partitions without touching data: the result links the runs of both.
 *
 * @param left the partition with the smaller keys
 * @param right the next partition
 * @param order the runs of the result from oldest to newest, as indexes into the runs of
 *     {@code left} followed by the runs of {@code right}
 */
public record MergePlan(PartitionShape left, PartitionShape right, List<Integer> order)
    implements Plan {

  /** Copies the list. */
  public MergePlan {
    order = List.copyOf(order);
  }

  /** The range of the result: both ranges and the gap between them. */
  public KeyRange range() {
    return KeyRange.of(left.range().from(), right.range().to());
  }

  @Override
  public long rewrittenBytes() {
    return 0;
  }
}
