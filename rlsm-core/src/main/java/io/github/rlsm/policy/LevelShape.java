// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The metadata of a shard's two levels as policies see it.
 *
 * @param l0 flushed runs from oldest to newest; spans can overlap, ids are unique
 * @param l1 partitions in ascending key order, disjoint. A key in a gap between their ranges is in
 *     no partition.
 */
public record LevelShape(List<RunShape> l0, List<PartitionShape> l1) {

  /** Checks that ids are unique and partitions ascend without overlap. */
  public LevelShape {
    l0 = List.copyOf(l0);
    l1 = List.copyOf(l1);
    Set<Long> ids = new HashSet<>();
    for (RunShape run : l0) {
      if (!ids.add(run.id())) {
        throw new IllegalArgumentException("two L0 runs have the id " + run.id());
      }
    }
    for (int i = 1; i < l1.size(); i++) {
      KeyRange left = l1.get(i - 1).range();
      KeyRange right = l1.get(i).range();
      if (!left.isBefore(right)) {
        throw new IllegalArgumentException("partition " + right + " does not lie after " + left);
      }
    }
  }

  /**
   * The key range between two adjacent partitions, before the first or after the last partition.
   *
   * @param index from 0 (before the first partition) to {@code l1().size()} (after the last one)
   * @return the gap; empty if the two partitions touch
   */
  public KeyRange gap(int index) {
    byte[] from = index == 0 ? null : l1.get(index - 1).range().to();
    byte[] to = index == l1.size() ? null : l1.get(index).range().from();
    if ((index > 0 && from == null) || (index < l1.size() && to == null)) {
      return KeyRange.EMPTY;
    }
    return KeyRange.of(from, to);
  }
}
