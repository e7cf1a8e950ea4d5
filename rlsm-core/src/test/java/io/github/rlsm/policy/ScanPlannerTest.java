// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.ids;
import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.pointers;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.policy.CleanPlan.Reason;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs of some MiB, so that what a change costs by itself hardly counts. */
class ScanPlannerTest {

  private static final int MIB = 1 << 20;
  private static final long SEEK = 8 << 10;

  private final IdentityHashMap<PartitionShape, Long> seeks = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionShape, Long> strayValues = new IdentityHashMap<>();
  private long l0Seeks;

  private final ScanCosts costs = new ScanCosts() {
    @Override
    public long extraSeeks(PartitionShape partition) {
      return seeks.getOrDefault(partition, 0L);
    }

    @Override
    public long strayValues(PartitionShape partition) {
      return strayValues.getOrDefault(partition, 0L);
    }

    @Override
    public long l0Seeks() {
      return l0Seeks;
    }
  };

  private final PolicySettings settings = new SettingsBuilder()
      .l0(8, 8)
      .partitionBytes(10 * MIB, 1_000 * MIB)
      .runCountMax(8)
      .linkBytesMin(MIB)
      .newRangeEntriesMin(1)
      .parallelism(2)
      .build();

  private Optional<Plan> next(LevelShape level, Plan... running) {
    return new BalancePlanner(Shapes.EVEN, settings, costs).next(level, List.of(running));
  }

  private static PartitionShape stack(int from, long firstId, long... mib) {
    RunShape[] runs = new RunShape[mib.length];
    for (int i = 0; i < mib.length; i++) {
      runs[i] = run(firstId + i, from, from + 99, mib[i] * MIB);
    }
    return partition(from, from + 99, runs);
  }

  private void pays(PartitionShape partition, double mib) {
    seeks.put(partition, (long) (mib * MIB / SEEK));
  }

  @Test
  void whatIsNotScannedIsLeftAlone() {
    assertThat(next(level(List.of(run(1, 0, 99, MIB)), stack(0, 10, 30, 30, 30))))
        .isEmpty();
  }

  @Test
  void aPartitionIsRewrittenOnceScansHavePaidForIt() {
    PartitionShape partition = stack(0, 10, 30, 30);
    pays(partition, 2 * 60);
    assertThat(next(level(List.of(), partition))).isEmpty();
    pays(partition, 2 * 60 + 2);
    CleanPlan plan = (CleanPlan) next(level(List.of(), partition)).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Reason.SCANS);
    assertThat(ids(plan.runs())).containsExactly(10L, 11L);
  }

  @Test
  void smallRunsAreRewrittenLongBeforeTheBase() {
    PartitionShape partition = stack(0, 10, 400, 5, 5, 5);
    pays(partition, 2 * 15 * 3 / 2.0 + 4);
    CleanPlan plan = (CleanPlan) next(level(List.of(), partition)).orElseThrow();
    assertThat(ids(plan.runs())).containsExactly(11L, 12L, 13L);
  }

  @Test
  void theOneThatPaidMostComesFirst() {
    PartitionShape little = stack(0, 10, 20, 20);
    PartitionShape much = stack(100, 20, 20, 20);
    pays(little, 100);
    pays(much, 200);
    CleanPlan plan = (CleanPlan) next(level(List.of(), little, much)).orElseThrow();
    assertThat(plan.partition()).isSameAs(much);
    CleanPlan other = (CleanPlan) next(level(List.of(), little, much), plan).orElseThrow();
    assertThat(other.partition()).isSameAs(little);
  }

  @Test
  void runsSideBySideAreNeverRewrittenForScans() {
    PartitionShape sideBySide =
        partition(0, 99, run(1, 0, 49, 30L * MIB), run(2, 50, 99, 30L * MIB));
    pays(sideBySide, 1_000_000);
    assertThat(next(level(List.of(), sideBySide))).isEmpty();
  }

  @Test
  void l0IsEmptiedOnceScansHavePaidForTheMove() {
    LevelShape level =
        level(List.of(run(1, 0, 99, 20L * MIB), run(2, 0, 99, 20L * MIB)), stack(0, 10, 40));
    l0Seeks = MIB / SEEK - 1;
    assertThat(next(level)).isEmpty();
    l0Seeks = MIB / SEEK;
    CompactPlan plan = (CompactPlan) next(level).orElseThrow();
    assertThat(ids(plan.victims())).containsExactly(1L, 2L);
    assertThat(plan.rewrittenBytes()).isZero();
  }

  @Test
  void whatIsDueAnywayComesFirst() {
    PartitionShape scanned = stack(0, 10, 30, 30);
    PartitionShape deep = stack(100, 20, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    pays(scanned, 1_000);
    CleanPlan plan = (CleanPlan) next(level(List.of(), scanned, deep)).orElseThrow();
    assertThat(plan.partition()).isSameAs(deep);
    assertThat(plan.reason()).isEqualTo(Reason.RUNS);
  }

  /** A partition of one run of tables and one whose values, of 970 bytes, are in the value log. */
  private static PartitionShape separated(int from, long firstId, long entries) {
    return partition(
        from,
        from + 99,
        run(firstId, from, from + 99, MIB),
        pointers(firstId + 1, from, from + 99, entries, 0));
  }

  /** What it costs to take the values of so many pointers in. */
  private static long price(long entries) {
    return entries * (SEEK / 2 + 970 + 2 * 30);
  }

  @Test
  void valuesAreTakenInOnceScansHavePaidForThem() {
    PartitionShape partition = separated(0, 10, 10_000);
    strayValues.put(partition, price(10_000) / SEEK - 1);
    assertThat(next(level(List.of(), partition))).isEmpty();
    strayValues.put(partition, price(10_000) / SEEK + 1);
    CleanPlan plan = (CleanPlan) next(level(List.of(), partition)).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Reason.VALUES);
    assertThat(ids(plan.runs())).containsExactly(11L);
    assertThat(plan.rewrittenBytes()).isEqualTo(10_000 * (30L + 970));
  }

  @Test
  void longValuesStayWhereTheyAre() {
    RunShape run = new RunShape(
        1, IntKeys.span(0, 99), MIB, 1_000, 0, 1, 1, 0, MIB, 1_000, 1_000L * (4 << 10) + 1);
    PartitionShape partition = partition(0, 99, run);
    strayValues.put(partition, 1_000_000_000L);
    assertThat(next(level(List.of(), partition))).isEmpty();
  }

  /** With its values inside, the partition would be past the limit of 1,000 MiB. */
  @Test
  void whatGetsTooLargeWithItsValuesIsSplitFirstAndNotMergedAgain() {
    long entries = 2L * MIB;
    PartitionShape partition = partition(0, 99, pointers(1, 0, 99, entries, 0));
    assertThat(next(level(List.of(), partition))).isEmpty();
    strayValues.put(partition, price(entries) / SEEK + 1);
    SplitPlan split = (SplitPlan) next(level(List.of(), partition)).orElseThrow();
    assertThat(split.pieces()).hasSize(4);
    PartitionShape left = partition(0, 49, pointers(1, 0, 49, MIB / 10, 0));
    PartitionShape right = partition(50, 99, pointers(1, 50, 99, MIB / 10, 0));
    LevelShape pieces = level(List.of(), left, right);
    assertThat(next(pieces)).get().isInstanceOf(MergePlan.class);
    strayValues.put(left, price(MIB / 10) / SEEK + 1);
    strayValues.put(right, price(MIB / 10) / SEEK + 1);
    assertThat(next(pieces)).get().isInstanceOf(CleanPlan.class);
  }
}
