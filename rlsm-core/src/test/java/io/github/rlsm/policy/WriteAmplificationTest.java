// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.proof.Proof;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Measures the cost of the policies over hundreds and thousands of flushes, with every job done as
 * soon as it is due. One flush is half a partition, as 64 MiB would be to the default 120 MiB. The
 * amplification counts the flush itself but no log. The test prints the figures, so that changes of
 * a policy can be compared.
 */
class WriteAmplificationTest {

  private static final int FLUSH_ENTRIES = 200;
  private static final int RUNS_MAX = 8;
  private static final long PARTITION_BYTES = 2L * FLUSH_ENTRIES * Workload.ENTRY_BYTES;

  private static SettingsBuilder scaled() {
    return new SettingsBuilder()
        .compactBytesMax(8L * FLUSH_ENTRIES * Workload.ENTRY_BYTES)
        .partitionBytes(PARTITION_BYTES / 8, PARTITION_BYTES)
        .runCountMax(RUNS_MAX)
        .linkBytesMin(0)
        .newRangeEntriesMin(10);
  }

  private static Workload play(String name, int flushes, IntUnaryOperator keyOf) {
    return report(name, play(new Workload(scaled().build(), FLUSH_ENTRIES), flushes, keyOf));
  }

  private static Workload play(Workload workload, int flushes, IntUnaryOperator keyOf) {
    workload.put(flushes, keyOf);
    return workload;
  }

  private static Workload report(String name, Workload workload) {
    System.out.printf(
        Locale.ROOT,
        "%-28s written %.2f times, %d partitions, at most %d runs over a key, %d in all, "
            + "files %.2f times what is used%n",
        name,
        workload.level().writeAmplification(),
        workload.level().partitions().size(),
        workload.deepest(),
        workload.mostRuns(),
        workload.worstPinned());
    return workload;
  }

  private static void checkBounds(Workload workload, double amplificationMax) {
    assertThat(workload.deepest()).isLessThanOrEqualTo(RUNS_MAX);
    assertThat(workload.mostRuns()).isLessThanOrEqualTo(4 * RUNS_MAX);
    assertThat(workload.level().writeAmplification()).isLessThanOrEqualTo(amplificationMax);
    double pinnedMax = PolicySettings.DEFAULT.pinnedFractionMax();
    assertThat(workload.worstPinned()).isLessThanOrEqualTo(1 / (1 - pinnedMax));
    for (ModelPartition partition : workload.level().partitions()) {
      assertThat(partition.shape().bytes()).isLessThanOrEqualTo(PARTITION_BYTES);
    }
  }

  @Test
  void uniformInsertsStayWithinTheirBound() {
    int flushes = Proof.count("policy.flushes", 300);
    Workload workload = play("uniform inserts", flushes, Workload.uniform(Integer.MAX_VALUE, 1));
    checkBounds(workload, 5);
    Proof.ran("policies", "simulated flushes of uniform inserts", flushes);
  }

  @Test
  void uniformInsertsCostLittleMoreAsTheStoreGrows() {
    IntUnaryOperator keys = Workload.uniform(Integer.MAX_VALUE, 2);
    Workload workload = new Workload(scaled().build(), FLUSH_ENTRIES);
    double before = play(workload, 50, keys).level().writeAmplification();
    double after = play(workload, 350, keys).level().writeAmplification();
    report("uniform inserts, 8 times", workload);
    assertThat(after - before).as("three doublings").isLessThan(3);
  }

  @Test
  void sequentialInsertsAreNeverRewritten() {
    Workload workload = play("sequential inserts", 3_000, n -> n);
    checkBounds(workload, 1.01);
  }

  @Test
  void sequentialInsertsOfTinyFlushesAreHardlyRewritten() {
    Workload workload = new Workload(scaled().build(), 2);
    workload.put(3_000, n -> n);
    report("sequential, tiny flushes", workload);
    checkBounds(workload, 3);
  }

  @Test
  void descendingInsertsAreNeverRewritten() {
    Workload workload = play("descending inserts", 1_000, n -> 1_000_000_000 - n);
    checkBounds(workload, 1.01);
  }

  @Test
  void nearlyOrderedInsertsStayWithinTheirBound() {
    Random random = new Random(3);
    Workload workload =
        play("time-ordered with stragglers", 1_000, n -> n + random.nextInt(FLUSH_ENTRIES));
    checkBounds(workload, 3);
  }

  @Test
  void overwritesKeepSpaceBounded() {
    int keys = 20_000;
    Workload workload = play("uniform overwrites", 500, Workload.uniform(keys, 4));
    checkBounds(workload, 6);
    assertThat(workload.storedEntries()).isLessThan((long) (keys * 1.6));
  }

  @Test
  void skewedOverwritesStayWithinTheirBound() {
    Random random = new Random(5);
    IntUnaryOperator skewed = n -> (int) (50_000 * Math.pow(random.nextDouble(), 4));
    Workload workload = play("skewed overwrites", 500, skewed);
    checkBounds(workload, 6);
  }

  @Test
  void driftingHotRangeStaysWithinItsBound() {
    Random random = new Random(6);
    Workload workload =
        play("drifting hot range", 1_000, n -> n / 4 + random.nextInt(4 * FLUSH_ENTRIES));
    checkBounds(workload, 6);
  }

  @Test
  void deletingEverythingFreesEverythingOnceIdle() {
    Workload workload = new Workload(scaled().build(), FLUSH_ENTRIES);
    workload.put(200, n -> n);
    workload.delete(200, n -> n - 200 * FLUSH_ENTRIES);
    workload.idle();
    report("delete everything", workload);
    assertThat(workload.storedEntries()).isZero();
    assertThat(workload.level().partitions()).hasSize(1);
  }

  @Test
  void deletingInAnyOrderFreesEverythingOnceIdle() {
    int keys = 200 * FLUSH_ENTRIES;
    Workload workload = new Workload(scaled().build(), FLUSH_ENTRIES);
    workload.put(200, n -> (int) (n * 7_919L % keys));
    workload.delete(200, n -> (int) (n * 104_729L % keys));
    workload.idle();
    report("delete in another order", workload);
    assertThat(workload.storedEntries()).isZero();
    assertThat(workload.level().partitions()).hasSize(1);
  }

  @Test
  void linkingCostsNoMoreThanCopying() {
    for (long linkBytesMin : new long[] {0, PARTITION_BYTES / 64, Long.MAX_VALUE}) {
      Workload workload = new Workload(scaled().linkBytesMin(linkBytesMin).build(), FLUSH_ENTRIES);
      workload.put(200, Workload.uniform(Integer.MAX_VALUE, 7));
      report("links from " + (linkBytesMin == Long.MAX_VALUE ? "never" : linkBytesMin), workload);
      checkBounds(workload, 5);
    }
  }

  @Test
  void moreRunsCostFewerWrites() {
    double before = Double.POSITIVE_INFINITY;
    for (int runs : new int[] {4, 8, 16, 32}) {
      Workload workload = new Workload(scaled().runCountMax(runs).build(), FLUSH_ENTRIES);
      workload.put(200, Workload.uniform(Integer.MAX_VALUE, 8));
      report(runs + " runs over a key", workload);
      assertThat(workload.level().writeAmplification()).isLessThan(before);
      before = workload.level().writeAmplification();
    }
  }
}
