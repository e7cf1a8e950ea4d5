// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests the future work of the RLSM paper: skewed writes. They might split and merge partitions in
 * cascades, rewrite hot partitions repeatedly, or leave many tiny ones.
 */
class SkewTest {

  private static final int FLUSH = 50;
  private static final int LIMIT = 2 * FLUSH;
  private static final double DEAD_MAX = PolicySettings.DEFAULT.deadFractionMax();

  private final Workload workload = new Workload(
      new SettingsBuilder()
          .compactBytesMax(8L * FLUSH * Workload.ENTRY_BYTES)
          .partitionBytes(LIMIT / 8 * Workload.ENTRY_BYTES, (long) LIMIT * Workload.ENTRY_BYTES)
          .linkBytesMin(0)
          .newRangeEntriesMin(10)
          .build(),
      FLUSH);

  /**
   * Bounds the write amplification. A clean for garbage reduces the share of garbage from more than
   * d to at most d / 2. It drops at least d / 2 of the partition's entries and writes at most 1 - d
   * / 2. Each write turns at most one entry into garbage, itself if it is a delete. Add the flush,
   * at most one copy into the partition, and rewrites for the number of runs, each of which at
   * least halves that number.
   */
  private static double amplificationMax(double runRewrites) {
    return 2 + (1 - DEAD_MAX / 2) / (DEAD_MAX / 2) + runRewrites;
  }

  /**
   * A split leaves pieces of about half the limit, and no merge makes more than three quarters of
   * it. So a partition receives at least a quarter of the limit before it is split (again).
   */
  private void checkReshapes(int flushes) {
    double entries = (double) flushes * FLUSH;
    assertThat(workload.splits()).isLessThanOrEqualTo((long) (entries / (LIMIT / 4.0)));
    // Each merge ends a partition: a piece of a split, at most four at a time, or a new range.
    assertThat(workload.merges()).isLessThanOrEqualTo(4 * workload.splits() + 10L * flushes);
  }

  /**
   * A small partition stays small only if a merge with any neighbour would exceed three quarters of
   * the limit. So each of its neighbours has more than five eighths, and each such neighbour is
   * adjacent to at most two small partitions.
   */
  private void checkNoCrumbs() {
    double entries = workload.storedEntries();
    double small = LIMIT / 8.0;
    assertThat(workload.level().partitions())
        .as("partitions of %.0f entries", entries)
        .hasSizeLessThanOrEqualTo((int) (3 * entries / small) + 1);
    long crumbs = workload.level().partitions().stream()
        .filter(partition -> partition.shape().entries() < small)
        .count();
    assertThat(crumbs)
        .as("small partitions of %.0f entries", entries)
        .isLessThanOrEqualTo((long) (2 * entries / (0.625 * LIMIT)) + 1);
  }

  private void report(String name) {
    System.out.printf(
        Locale.ROOT,
        "%-36s written %.2f times, %d partitions, %d splits, %d merges, at most %d runs%n",
        name,
        workload.level().writeAmplification(),
        workload.level().partitions().size(),
        workload.splits(),
        workload.merges(),
        workload.deepest());
  }

  @Test
  void splitsDoNotCascadeWhereARangeNarrows() {
    Random random = new Random(11);
    int flushes = 600;
    for (int width = 1 << 30; width > 1 << 14; width /= 2) {
      int bound = width;
      workload.put(flushes / 16, n -> random.nextInt(bound));
    }
    report("ever narrower");
    checkReshapes(flushes);
    checkNoCrumbs();
    assertThat(workload.level().writeAmplification()).isLessThanOrEqualTo(amplificationMax(3));
  }

  @Test
  void aHotRangeIsNotRewrittenMoreThanItsGarbageIsWorth() {
    Random random = new Random(12);
    workload.put(100, n -> n);
    int flushes = 400;
    workload.put(flushes, n -> random.nextInt(100) < 99 ? random.nextInt(FLUSH) : n % 5_000);
    report("a hot range");
    checkReshapes(flushes + 100);
    checkNoCrumbs();
    assertThat(workload.level().writeAmplification()).isLessThanOrEqualTo(amplificationMax(1));
    assertThat(workload.deepest()).isLessThanOrEqualTo(PolicySettings.DEFAULT.runCountMax());
  }

  @Test
  void movingHotRangeLeavesNoTinyPartitions() {
    Random random = new Random(13);
    int flushes = 1_000;
    workload.put(flushes, n -> n / 8 + random.nextInt(3 * FLUSH));
    report("a hot range that moves on");
    checkReshapes(flushes);
    checkNoCrumbs();
    assertThat(workload.level().writeAmplification()).isLessThanOrEqualTo(amplificationMax(1));
  }

  @Test
  void queueTakesSpaceOnlyForItsContent() {
    int length = 20 * FLUSH;
    int[] ends = new int[2];
    int flushes = 500;
    workload.put(20, n -> ends[0]++);
    for (int i = 0; i < flushes; i++) {
      workload.put(1, n -> ends[0]++);
      workload.delete(1, n -> ends[1]++);
    }
    report("a queue");
    double l0 = (PolicySettings.DEFAULT.l0Trigger() + 1.0) * FLUSH;
    assertThat((double) workload.storedEntries())
        .isLessThanOrEqualTo(length / (1 - DEAD_MAX) + 2 * l0);
    checkReshapes(2 * flushes + 20);
    checkNoCrumbs();
    assertThat(workload.level().writeAmplification()).isLessThanOrEqualTo(amplificationMax(1));
  }

  @Test
  void deletedRangeIsReclaimedDuringOtherWrites() {
    int keys = 100 * FLUSH;
    workload.put(100, n -> (int) (n * 7_919L % keys));
    workload.delete(100, n -> (int) (n * 104_729L % keys));
    int flushes = 40;
    workload.put(flushes, n -> keys + n);
    report("all but new keys deleted");
    double l0 = (PolicySettings.DEFAULT.l0Trigger() + 1.0) * FLUSH;
    assertThat((double) workload.storedEntries())
        .isLessThanOrEqualTo(flushes * FLUSH / (1 - DEAD_MAX) + 2 * l0);
    checkReshapes(200 + flushes);
    checkNoCrumbs();
    assertThat(workload.level().partitions())
        .noneMatch(partition -> partition.shape().runs().isEmpty());
  }
}
