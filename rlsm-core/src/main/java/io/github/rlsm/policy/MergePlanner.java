// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which neighbouring partitions become one.
 *
 * <p>A partition under {@code partitionBytesMin} joins the smaller of its two neighbours, as in the
 * paper, unless both together would hold more than three quarters of {@code partitionBytesMax}; an
 * empty one joins whatever its neighbour's size. Keys in the gap between the two go to the result.
 *
 * <p><b>No ping-pong.</b> While no data comes in, splits and merges end: a merge with an empty
 * partition leaves the neighbour's size as it is; any other merge makes a partition that is not
 * over {@code partitionBytesMax}, and neither planner ever makes such a partition larger than that.
 * So merges never make a split due. A split takes one partition that is over the limit and replaces
 * it by smaller ones, and each merge leaves one partition less: both can happen only finitely
 * often. To be split again a merged partition must first grow by a quarter of the limit.
 *
 * <p><b>Recency.</b> The two sides share no key, so any interleaving that keeps each side's order
 * is right. Runs are interleaved by age, so that the old and large ones stand together at the
 * front.
 */
public final class MergePlanner {

  private final PolicySettings settings;

  /** Plans by some settings. */
  public MergePlanner(PolicySettings settings) {
    this.settings = settings;
  }

  /** The first merge in key order that is due and in nobody's way. */
  public Optional<MergePlan> plan(LevelShape level, Busy busy) {
    List<PartitionShape> l1 = level.l1();
    for (int i = 0; i < l1.size() && l1.size() > 1; i++) {
      if (l1.get(i).bytes() >= settings.partitionBytesMin()) {
        continue;
      }
      int left = smallerNeighbourIsLeft(l1, i) ? i - 1 : i;
      MergePlan plan = new MergePlan(l1.get(left), l1.get(left + 1), order(l1, left));
      if (fits(plan) && !busy.holdsForReshaping(plan.range())) {
        return Optional.of(plan);
      }
    }
    return Optional.empty();
  }

  private boolean smallerNeighbourIsLeft(List<PartitionShape> l1, int index) {
    return index == l1.size() - 1
        || (index > 0 && l1.get(index - 1).bytes() <= l1.get(index + 1).bytes());
  }

  private boolean fits(MergePlan plan) {
    long left = plan.left().bytes();
    long right = plan.right().bytes();
    return left == 0 || right == 0 || left + right <= settings.partitionBytesMax() / 4 * 3;
  }

  private static List<Integer> order(List<PartitionShape> l1, int leftIndex) {
    List<RunShape> left = l1.get(leftIndex).runs();
    List<RunShape> right = l1.get(leftIndex + 1).runs();
    List<Integer> order = new ArrayList<>();
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      boolean takeLeft = r == right.size()
          || (l < left.size() && left.get(l).maxSeqno() <= right.get(r).maxSeqno());
      order.add(takeLeft ? l++ : left.size() + r++);
    }
    return order;
  }
}
