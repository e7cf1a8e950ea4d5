// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.ids;
import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.policy.Plan.Clean.Reason;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Uses runs of several MiB, so that the fixed cost of a change is negligible. */
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
    return new CompactionPicker(Shapes.EVEN, settings, costs, Optional.empty())
        .next(level, List.of(running));
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
  void unscannedRunsAreLeftAlone() {
    assertThat(next(level(List.of(run(1, 0, 99, MIB)), stack(0, 10, 30, 30, 30))))
        .isEmpty();
  }

  @Test
  void aPartitionIsRewrittenOnceScansHavePaidForIt() {
    PartitionShape partition = stack(0, 10, 30, 30);
    pays(partition, 2 * 60);
    assertThat(next(level(List.of(), partition))).isEmpty();
    pays(partition, 2 * 60 + 2);
    Plan.Clean plan = (Plan.Clean) next(level(List.of(), partition)).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Reason.SCANS);
    assertThat(ids(plan.runs())).containsExactly(10L, 11L);
  }

  @Test
  void smallRunsAreRewrittenLongBeforeTheBase() {
    PartitionShape partition = stack(0, 10, 400, 5, 5, 5);
    pays(partition, 2 * 15 * 3 / 2.0 + 4);
    Plan.Clean plan = (Plan.Clean) next(level(List.of(), partition)).orElseThrow();
    assertThat(ids(plan.runs())).containsExactly(11L, 12L, 13L);
  }

  @Test
  void partitionWithTheMostScanCostComesFirst() {
    PartitionShape little = stack(0, 10, 20, 20);
    PartitionShape much = stack(100, 20, 20, 20);
    pays(little, 100);
    pays(much, 200);
    Plan.Clean plan = (Plan.Clean) next(level(List.of(), little, much)).orElseThrow();
    assertThat(plan.partition()).isSameAs(much);
    Plan.Clean other = (Plan.Clean) next(level(List.of(), little, much), plan).orElseThrow();
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
    Plan.Compaction plan = (Plan.Compaction) next(level).orElseThrow();
    assertThat(ids(plan.victims())).containsExactly(1L, 2L);
    assertThat(plan.rewrittenBytes()).isZero();
  }

  @Test
  void dueCleansComeBeforeScanCleans() {
    PartitionShape scanned = stack(0, 10, 30, 30);
    PartitionShape deep = stack(100, 20, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    pays(scanned, 1_000);
    Plan.Clean plan = (Plan.Clean) next(level(List.of(), scanned, deep)).orElseThrow();
    assertThat(plan.partition()).isSameAs(deep);
    assertThat(plan.reason()).isEqualTo(Reason.RUNS);
  }

  /**
   * Returns a partition of two runs. One holds its values in tables. The other has 2,000 entries
   * with values of 1,000 bytes in the value log.
   */
  private static PartitionShape separated(int from, long firstId) {
    return separated(from, firstId, 1_000);
  }

  private static PartitionShape valuesOf(int bytes) {
    return separated(0, 10, bytes);
  }

  private static PartitionShape separated(int from, long firstId, int valueBytes) {
    return partition(
        from,
        from + 99,
        run(firstId, from, from + 99, MIB),
        new RunShape(
            new RunShape.TableFile(firstId + 1, 60_000),
            IntKeys.span(from, from + 99),
            60_000,
            new RunShape.Counts(2_000, 0, 0),
            new SeqnoRange(1, 1),
            new RunShape.Values(2_000, 2_000L * valueBytes)));
  }

  /** Returns the cost of a move of values that have this share of the bytes of their segments. */
  private static long price(long values, double share) {
    long moved = values * 1_000;
    return (long) (MIB + 2 * 60_000 + Math.min(values * (SEEK / 2.0), moved / share) + moved);
  }

  private static long price(long values) {
    return price(values, 1);
  }

  private static final CollectSettings SPACE =
      new CollectSettings(1.5, 1.5, 0.9, 96L << 20, 128L << 20, 1L << 30);

  private Optional<Plan> next(ValuesBySegment values, PartitionShape... l1) {
    return next(new CollectPlanner(SPACE, 0.3, values), l1);
  }

  private Optional<Plan> nextAtRest(ValuesBySegment values, PartitionShape... l1) {
    return next(CollectPlanner.atRest(SPACE, 0.3, values), l1);
  }

  private Optional<Plan> next(CollectPlanner collects, PartitionShape... l1) {
    return new CompactionPicker(Shapes.EVEN, settings, costs, Optional.of(collects))
        .next(level(List.of(), l1), List.of());
  }

  @Test
  void valuesAreMovedIntoKeyOrderOnceScansHavePaid() {
    PartitionShape partition = separated(0, 10);
    ValuesBySegment values = new ValuesBySegment()
        .space(130, 100)
        .segment(3, 1_000_000, 1_000_000)
        .segment(4, 1_000_000, 1_000_000)
        .run(11, 3, 1_000_000)
        .run(11, 4, 1_000_000);
    strayValues.put(partition, price(2_000) / SEEK - 1);
    assertThat(next(values, partition)).isEmpty();
    strayValues.put(partition, price(2_000) / SEEK + 1);
    Plan.Clean plan = (Plan.Clean) next(values, partition).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Reason.VALUES);
    assertThat(ids(plan.runs())).containsExactly(11L);
    assertThat(plan.segments()).containsExactlyInAnyOrder(3, 4);
  }

  @Test
  void valuesInKeyOrderAreNeitherMovedNorCharged() {
    PartitionShape partition = separated(0, 10);
    ValuesBySegment values = new ValuesBySegment()
        .space(130, 100)
        .segment(3, 1_000_000, 1_000_000)
        .segment(4, 1_000_000, 1_000_000)
        .inKeyOrder(3)
        .run(11, 3, 1_000_000)
        .run(11, 4, 1_000_000);
    strayValues.put(partition, price(1_000) / SEEK + 1);
    Plan.Clean plan = (Plan.Clean) next(values, partition).orElseThrow();
    assertThat(plan.segments()).containsExactly(4);
    assertThat(next(values.inKeyOrder(4), partition)).isEmpty();
  }

  /** Scanned partitions all empty the same segments first, so these segments can be reclaimed. */
  @Test
  void theOldestSegmentsComeFirst() {
    PartitionShape partition = separated(0, 10);
    long half = (128L << 20) / 2;
    ValuesBySegment values = new ValuesBySegment().space(130, 100);
    for (int segment = 9; segment > 5; segment--) {
      values.segment(segment, half, half).run(11, segment, half);
    }
    strayValues.put(partition, 1_000_000_000L);
    Plan.Clean plan = (Plan.Clean) next(values, partition).orElseThrow();
    assertThat(plan.segments()).containsExactlyInAnyOrder(6, 7);
  }

  /** A move reads no more than its segments, however many values it takes out of them. */
  @Test
  void fewValuesOfASegmentCostMoreToMoveThanMany() {
    assertThat(price(2_000, 0.25)).isGreaterThan(price(2_000) + 5_000_000);
    PartitionShape partition = separated(0, 10);
    ValuesBySegment values = new ValuesBySegment()
        .space(130, 100)
        .segment(3, 8_000_000, 8_000_000)
        .run(11, 3, 2_000_000);
    strayValues.put(partition, price(2_000, 0.25) / SEEK - 1);
    assertThat(next(values, partition)).isEmpty();
    strayValues.put(partition, price(2_000, 0.25) / SEEK + 1);
    assertThat(next(values, partition)).isPresent();
  }

  private static ValuesBySegment twoSegments() {
    return new ValuesBySegment()
        .space(130, 100)
        .segment(3, 1_200_000, 1_200_000)
        .segment(4, 1_200_000, 1_200_000)
        .run(11, 3, 1_200_000)
        .run(11, 4, 1_200_000);
  }

  @Test
  void valuesThatDoNotFitInMemoryAreMovedIntoKeyOrderAtRest() {
    PartitionShape partition = valuesOf(1_000);
    assertThat(nextAtRest(twoSegments(), partition)).isEmpty();
    assertThat(next(twoSegments().onDevice(3), partition)).isEmpty();
    Plan.Clean plan =
        (Plan.Clean) nextAtRest(twoSegments().onDevice(3), partition).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Reason.VALUES);
    assertThat(plan.segments()).containsExactlyInAnyOrder(3, 4);
  }

  /** Once some values were moved, the others follow, in memory or not. */
  @Test
  void valuesAreMovedAtRestIfMovedValuesAreNotInMemory() {
    ValuesBySegment values = twoSegments().inKeyOrder(3);
    PartitionShape partition = valuesOf(1_000);
    assertThat(nextAtRest(values, partition)).isEmpty();
    Plan.Clean plan = (Plan.Clean) nextAtRest(values.onDevice(3), partition).orElseThrow();
    assertThat(plan.segments()).containsExactly(4);
    assertThat(nextAtRest(values.inKeyOrder(4).onDevice(4), partition)).isEmpty();
  }

  @Test
  void longValuesStayInWriteOrderAtRest() {
    assertThat(nextAtRest(twoSegments().onDevice(3), valuesOf(4_097))).isEmpty();
  }

  /** Otherwise a store that is often idle for a moment would rewrite its tables each time. */
  @Test
  void fewValuesStayInWriteOrderAtRest() {
    ValuesBySegment values =
        new ValuesBySegment().space(130, 100).segment(3, 1_100_000, 1_100_000).onDevice(3);
    assertThat(nextAtRest(values.run(11, 3, 1_050_000), valuesOf(1_000))).isEmpty();
    assertThat(nextAtRest(values.run(11, 3, 1_100_000), valuesOf(1_000))).isEmpty();
    assertThat(nextAtRest(twoSegments().onDevice(3), valuesOf(1_000))).isPresent();
  }

  /** Moves into key order free space too, and read each segment only once. */
  @Test
  void movesIntoKeyOrderComeBeforeMovesForSpaceAtRest() {
    ValuesBySegment values = twoSegments()
        .onDevice(3)
        .segment(5, 1_000_000, 500_000)
        .inKeyOrder(5)
        .run(11, 5, 500_000)
        .space(148, 100);
    Plan.Clean first = (Plan.Clean) nextAtRest(values, valuesOf(1_000)).orElseThrow();
    assertThat(first.reason()).isEqualTo(Reason.VALUES);
    assertThat(first.segments()).containsExactlyInAnyOrder(3, 4);
    values.inKeyOrder(3).inKeyOrder(4);
    Plan.Clean then = (Plan.Clean) nextAtRest(values, valuesOf(1_000)).orElseThrow();
    assertThat(then.reason()).isEqualTo(Reason.SPACE);
    assertThat(then.segments()).containsExactly(5);
  }

  @Test
  void oneMoveAtATimeRunsAtRest() {
    PartitionShape partition = valuesOf(1_000);
    PartitionShape other = separated(100, 20);
    ValuesBySegment values = twoSegments().onDevice(3).run(21, 3, 1_200_000).run(21, 4, 1_200_000);
    CollectPlanner collects = CollectPlanner.atRest(SPACE, 0.3, values);
    CompactionPicker picker =
        new CompactionPicker(Shapes.EVEN, settings, costs, Optional.of(collects));
    LevelShape level = level(List.of(), partition, other);
    Plan first = picker.next(level, List.of()).orElseThrow();
    assertThat(picker.next(level, List.of(first))).isEmpty();
  }

  /** The segments should stay in memory while several passes read them. */
  @Test
  void moveReadsLimitedBytesUnlessItNeedsLittleOfEachSegment() {
    PartitionShape partition = valuesOf(1_000);
    long gibibyte = 1L << 30;
    ValuesBySegment values = new ValuesBySegment().space(130, 100).onDevice(3);
    for (int segment = 3; segment < 9; segment++) {
      values.segment(segment, gibibyte, gibibyte).run(11, segment, 20 * MIB);
    }
    Plan.Clean sparse = (Plan.Clean) nextAtRest(values, partition).orElseThrow();
    assertThat(sparse.segments()).containsExactlyInAnyOrder(3, 4, 5, 6, 7, 8);
    values = new ValuesBySegment().space(130, 100).onDevice(3);
    for (int segment = 3; segment < 9; segment++) {
      values.segment(segment, 75 * MIB, 75 * MIB).run(11, segment, 20 * MIB);
    }
    CollectSettings little = new CollectSettings(1.5, 1.5, 0.9, 96L << 20, 128L << 20, 256L << 20);
    Plan.Clean dense =
        (Plan.Clean) next(CollectPlanner.atRest(little, 0.3, values), partition).orElseThrow();
    assertThat(dense.segments()).containsExactlyInAnyOrder(3, 4, 5);
  }

  /** A few values that stay in write order cost a scan as many reads as all the others. */
  @Test
  void lastMoveTakesTheRest() {
    assertThat(sizesOfMoves(13)).containsExactly(13);
    assertThat(sizesOfMoves(17)).containsExactly(8, 9);
    assertThat(sizesOfMoves(30)).containsExactly(15, 15);
    assertThat(sizesOfMoves(40)).containsExactly(13, 13, 14);
  }

  /** A move reads each part of a sorted segment once. So its segments need not stay in memory. */
  @Test
  void readsOfSortedSegmentsAreNotLimited() {
    CollectSettings little = new CollectSettings(1.5, 1.5, 0.9, 96L << 20, 1L << 30, 256L << 20);
    ValuesBySegment values = new ValuesBySegment().space(130, 100);
    for (int segment = 3; segment < 33; segment++) {
      values
          .onDevice(segment)
          .segment(segment, 20 * MIB, 20 * MIB)
          .run(11, segment, 20 * MIB)
          .sorted(segment);
    }
    CollectPlanner collects = CollectPlanner.atRest(little, 0.3, values);
    Plan.Clean next = (Plan.Clean) next(collects, valuesOf(1_000)).orElseThrow();
    assertThat(next.segments()).hasSize(30);
  }

  /** Each move for key order leaves one more place that a scan reads from. */
  @Test
  void moveForKeyOrderTakesAQuarterOfThePartition() {
    CollectSettings little = new CollectSettings(1.5, 1.5, 0.9, 96L << 20, 1, 1L << 40);
    ValuesBySegment values = new ValuesBySegment().space(130, 100);
    for (int segment = 3; segment < 43; segment++) {
      values
          .onDevice(segment)
          .segment(segment, 500_000, 500_000)
          .run(11, segment, 500_000)
          .sorted(segment);
    }
    // Six times the tables would be a tenth of this.
    PartitionShape partition = partition(0, 99, run(10, 0, 99, 1), withValues(80_000, 20_000_000));
    CollectPlanner collects = CollectPlanner.atRest(little, 0.3, values);
    List<Integer> sizes = new ArrayList<>();
    for (int moved = 0; moved < 40; moved += sizes.get(sizes.size() - 1)) {
      Plan.Clean next = (Plan.Clean) next(collects, partition).orElseThrow();
      next.segments().forEach(values::inKeyOrder);
      sizes.add(next.segments().size());
    }
    assertThat(sizes).containsExactly(10, 10, 10, 10);
  }

  private static RunShape withValues(long bytes, long valueBytes) {
    return new RunShape(
        new RunShape.TableFile(11, bytes),
        IntKeys.span(0, 99),
        bytes,
        new RunShape.Counts(20_000, 0, 0),
        new SeqnoRange(1, 1),
        new RunShape.Values(20_000, valueBytes));
  }

  /** Returns the number of segments in each move of values in that many segments of 20 MiB. */
  private List<Integer> sizesOfMoves(int count) {
    CollectSettings little = new CollectSettings(1.5, 1.5, 0.9, 96L << 20, 1L << 30, 256L << 20);
    ValuesBySegment values = new ValuesBySegment().space(130, 100);
    for (int segment = 3; segment < 3 + count; segment++) {
      values.onDevice(segment).segment(segment, 20 * MIB, 20 * MIB).run(11, segment, 20 * MIB);
    }
    CollectPlanner collects = CollectPlanner.atRest(little, 0.3, values);
    List<Integer> sizes = new ArrayList<>();
    for (int moved = 0; moved < count; moved += sizes.get(sizes.size() - 1)) {
      Plan.Clean next = (Plan.Clean) next(collects, valuesOf(1_000)).orElseThrow();
      next.segments().forEach(values::inKeyOrder);
      sizes.add(next.segments().size());
    }
    return sizes;
  }

  @Test
  void nothingIsMovedForScansWhileSpaceIsShort() {
    PartitionShape partition = separated(0, 10);
    ValuesBySegment values = new ValuesBySegment()
        .space(148, 100)
        .segment(3, 1_000_000, 1_000_000)
        .run(11, 3, 1_000_000);
    strayValues.put(partition, 1_000_000_000L);
    assertThat(next(values, partition)).isEmpty();
  }
}
