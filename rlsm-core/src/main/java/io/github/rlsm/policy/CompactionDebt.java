// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.Comparator;
import java.util.List;

/** Measures how far background work is behind. */
public final class CompactionDebt {

  private final PolicySettings settings;
  private final CleanPlanner cleans;

  /** Creates a measure against the given thresholds. */
  public CompactionDebt(PolicySettings settings) {
    this.settings = settings;
    this.cleans = new CleanPlanner(settings);
  }

  /**
   * The pending bytes, the sum of three parts:
   *
   * <ul>
   *   <li>the largest L0 runs beyond the trigger;
   *   <li>for each partition that is due for a clean, a share of its bytes that grows with the
   *       clean's urgency, up to all of them;
   *   <li>the bytes that links pin beyond {@code pinnedFractionMax}.
   * </ul>
   */
  public long bytes(LevelShape level) {
    List<Long> l0 = level.l0().stream()
        .map(RunShape::bytes)
        .sorted(Comparator.reverseOrder())
        .toList();
    int beyond = Math.max(0, l0.size() - settings.l0Trigger());
    long debt = l0.stream().limit(beyond).mapToLong(Long::longValue).sum();
    for (PartitionShape partition : level.l1()) {
      double share = Math.min(1, Math.max(0, cleans.urgency(partition)));
      debt += (long) (share * partition.bytes());
    }
    return debt + PinnedSpace.of(level.l1()).bytesBeyond(settings.pinnedFractionMax());
  }
}
