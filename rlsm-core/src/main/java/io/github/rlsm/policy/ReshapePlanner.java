// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which partitions to split and which adjacent partitions to merge. Neither touches data.
 *
 * <p><b>Splits.</b> A partition larger than {@code partitionBytesMax} is split into pieces of about
 * half that size, as in the paper (120 MB into 60 MB each). Linear selection on samples of the runs
 * finds the split keys. A partition whose garbage is over {@code deadFractionMax} is not split: a
 * clean is due, and the partition may be small enough afterwards.
 *
 * <p><b>Merges.</b> A partition smaller than {@code partitionBytesMin} is merged with the smaller
 * of its two neighbours, as in the paper. The merge is skipped if both together exceed three
 * quarters of {@code partitionBytesMax}. An empty partition is merged regardless of the neighbour's
 * size. The result also covers the gap between the two.
 *
 * <p><b>Termination.</b> While no data comes in, splits and merges end. A merge with an empty
 * partition does not change the neighbour's size. Any other merge produces a partition of at most
 * {@code partitionBytesMax}, and nothing here makes such a partition larger than that. So a merge
 * never makes a split due. A split replaces one partition over the limit by smaller ones, and a
 * merge reduces the number of partitions by one. So both can happen only finitely often. A merged
 * partition must first grow by a quarter of the limit before it is split again.
 *
 * <p>A clean between them must not change the size of a partition without garbage. So the sizes of
 * slices have to be near their sizes after a rewrite ({@code table.Table#part}). Sizes by the
 * number of entries were wrong where some entries are long. Then a split, a clean of the small side
 * and a merge followed one another without end.
 *
 * <p><b>Recency.</b> The two sides share no key, so any interleaving that keeps the order within
 * each side is correct. Runs are interleaved by age, so that old and large runs are together at the
 * front.
 */
final class ReshapePlanner {

  private final RunMetrics metrics;
  private final PolicySettings settings;

  /** Creates a planner that takes samples from {@code metrics}. */
  ReshapePlanner(RunMetrics metrics, PolicySettings settings) {
    this.metrics = metrics;
    this.settings = settings;
  }

  /** The split of a partition. Empty if none is due, or if all samples have the same key. */
  Optional<Plan.Split> split(PartitionShape partition) {
    long bytes = partition.bytes();
    if (bytes <= settings.partitionBytesMax()
        || partition.garbageFraction() > settings.deadFractionMax()) {
      return Optional.empty();
    }
    List<WeightedKey> samples = new ArrayList<>();
    for (RunShape run : partition.runs()) {
      samples.addAll(metrics.samples(run, run.span()));
    }
    double halves = 2.0 * bytes / settings.partitionBytesMax();
    int pieces = (int) Math.min(Math.max(2, Math.round(halves)), Math.max(2, samples.size()));
    List<KeyRange> ranges = new ArrayList<>();
    byte[] from = partition.range().from();
    for (byte[] key : SplitKeys.find(samples, pieces)) {
      ranges.add(KeyRange.of(from, key));
      from = key;
    }
    ranges.add(KeyRange.of(from, partition.range().to()));
    return ranges.size() < 2 ? Optional.empty() : Optional.of(new Plan.Split(partition, ranges));
  }

  /** The first merge in key order that is due and conflicts with no running job. */
  Optional<Plan.Merge> merge(LevelShape level, RunningPlans inProgress) {
    List<PartitionShape> l1 = level.l1();
    for (int i = 0; i < l1.size() && l1.size() > 1; i++) {
      if (l1.get(i).bytes() >= settings.partitionBytesMin()) {
        continue;
      }
      int left = smallerNeighbourIsLeft(l1, i) ? i - 1 : i;
      Plan.Merge plan = new Plan.Merge(l1.get(left), l1.get(left + 1), order(l1, left));
      if (fits(plan) && !inProgress.holdsForReshaping(plan.range())) {
        return Optional.of(plan);
      }
    }
    return Optional.empty();
  }

  private boolean smallerNeighbourIsLeft(List<PartitionShape> l1, int index) {
    return index == l1.size() - 1
        || (index > 0 && l1.get(index - 1).bytes() <= l1.get(index + 1).bytes());
  }

  private boolean fits(Plan.Merge plan) {
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
