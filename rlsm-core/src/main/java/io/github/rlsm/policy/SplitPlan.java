// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * Divides a partition without touching data: each piece links, in the same order, the slices of the
 * partition's runs that lie in its range.
 *
 * @param partition the partition as it is
 * @param pieces at least two ranges in ascending order that together are the partition's range
 */
public record SplitPlan(PartitionShape partition, List<KeyRange> pieces) implements Plan {

  /** Takes a copy. */
  public SplitPlan {
    pieces = List.copyOf(pieces);
  }

  @Override
  public long rewrittenBytes() {
    return 0;
  }
}
