// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether and where to split a partition.
 *
 * <p>A partition larger than {@code partitionBytesMax} is split into pieces of about half that
 * size, as in the paper (120 MB into 60 MB each). Linear selection on samples of the runs finds the
 * split keys. A partition whose garbage is over {@code deadFractionMax} is not split: a clean is
 * due, and the partition may be small enough afterwards.
 */
public final class SplitPlanner {

  private final RunMetrics metrics;
  private final PolicySettings settings;

  /** Creates a planner that takes samples from {@code metrics}. */
  public SplitPlanner(RunMetrics metrics, PolicySettings settings) {
    this.metrics = metrics;
    this.settings = settings;
  }

  /** The split of a partition. Empty if none is due, or if all samples have the same key. */
  public Optional<SplitPlan> plan(PartitionShape partition) {
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
    return ranges.size() < 2 ? Optional.empty() : Optional.of(new SplitPlan(partition, ranges));
  }
}
