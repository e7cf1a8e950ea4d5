// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.policy.CompactionPicker;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures the number of decisions per second over 1,000 partitions of 8 runs. Each decision uses a
 * version in which one partition has changed. Run by hand.
 */
public final class DecisionLoop {

  private static final int PARTITIONS = 1_000;
  private static final int[] RUNS = {0, 1, 2, 3, 4, 5, 6, 7};
  private static final int DECISIONS = 1_000;

  private DecisionLoop() {}

  /** Prints the figure several times. */
  public static void main(String[] arguments) {
    try (ManyPartitions level = new ManyPartitions(10)) {
      for (int i = 0; i < PARTITIONS; i++) {
        level.add(i, RUNS.length, RUNS);
      }
      PartitionShapes shapes = new PartitionShapes();
      for (int round = 0; round < 4; round++) {
        long nanos = 0;
        for (int i = 0; i < DECISIONS; i++) {
          level.touch(i * 7 % PARTITIONS);
          nanos += decide(level, shapes);
        }
        System.out.printf(Locale.ROOT, "%.0f decisions/s%n", DECISIONS * 1e9 / nanos);
      }
    }
  }

  /** Makes a decision as the engine does. Returns its duration. */
  private static long decide(ManyPartitions level, PartitionShapes shapes) {
    PolicySettings settings = PolicySettings.DEFAULT;
    long began = System.nanoTime();
    PinnedVersion<Table> files = level.pin();
    Levels levels = new Levels(files, shapes);
    long debt = CompactionPicker.debtBytes(levels.shape(), settings);
    boolean due = new CompactionPicker(levels, settings, levels, Optional.empty())
        .next(levels.shape(), List.of())
        .isPresent();
    files.unpin();
    if (debt < 0 && due) {
      throw new AssertionError("keeps the compiler from dropping the call");
    }
    return System.nanoTime() - began;
  }
}
