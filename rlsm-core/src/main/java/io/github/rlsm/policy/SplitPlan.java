// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * Splits a partition without touching data. Each piece links the slices of the partition's runs in
 * its range, in the same order.
 *
 * @param partition the partition before the split
 * @param pieces at least two ranges in ascending order that together cover the partition's range
 */
public record SplitPlan(PartitionShape partition, List<KeyRange> pieces) implements Plan {

  /** Copies the list. */
  public SplitPlan {
    pieces = List.copyOf(pieces);
  }

  @Override
  public long rewrittenBytes() {
    return 0;
  }
}
