// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CollectPlannerTest {

  private static final long MIB = 1 << 20;
  private static final CollectSettings SETTINGS =
      new CollectSettings(1.5, 1.2, 0.8, 96 * MIB, 128 * MIB, 1024 * MIB);

  /** Three partitions of two runs each. */
  private static final LevelShape LEVEL = Shapes.level(
      List.of(),
      Shapes.partition(0, 99, Shapes.run(1, 0, 99, 100), Shapes.run(2, 0, 99, 100)),
      Shapes.partition(100, 199, Shapes.run(3, 100, 199, 100), Shapes.run(4, 100, 199, 100)),
      Shapes.partition(200, 299, Shapes.run(5, 200, 299, 100), Shapes.run(6, 200, 299, 100)));

  private static List<Integer> victims(CollectSettings settings, ValuesBySegment values) {
    return new CollectPlanner(settings, 0.3, values)
        .victims().stream().map(ValueSegmentShape::number).toList();
  }

  private static Optional<Plan.Clean> next(ValuesBySegment values) {
    return new CollectPlanner(SETTINGS, 0.3, values)
        .next(LEVEL, partition -> true)
        .map(CleanPicker.Choice::plan);
  }

  @Test
  void noVictimsWithinTheSpaceLimit() {
    assertThat(victims(SETTINGS, new ValuesBySegment().space(146, 100).segment(1, 100, 0)))
        .isEmpty();
    assertThat(victims(SETTINGS, new ValuesBySegment().space(147, 100).segment(1, 100, 0)))
        .containsExactly(1);
    assertThat(victims(SETTINGS, new ValuesBySegment().space(1, 0).segment(1, 100, 10)))
        .containsExactly(1);
  }

  @Test
  void storeWithoutWritesShrinksToASmallerTarget() {
    ValuesBySegment values = new ValuesBySegment().space(118, 100).segment(1, 100, 60);
    assertThat(CollectPlanner.atRest(SETTINGS, 0.3, values).isDue()).isFalse();
    values.space(119, 100);
    assertThat(CollectPlanner.atRest(SETTINGS, 0.3, values).isDue()).isTrue();
    assertThat(new CollectPlanner(SETTINGS, 0.3, values).isDue()).isFalse();
  }

  @Test
  void targetMayBeTheLiveBytesAlone() {
    CollectSettings none = new CollectSettings(1, 1, 0.8, 1, 1, 1).atRest();
    assertThat(none.liveFractionMax()).isLessThan(1);
  }

  /** Of a store at the smaller target, each segment may be live by more than the usual maximum. */
  @Test
  void storeWithoutWritesAlsoReclaimsSegmentsWithLittleGarbage() {
    ValuesBySegment values = new ValuesBySegment().space(1_000, 100).segment(1, 100, 90);
    assertThat(CollectPlanner.atRest(SETTINGS, 0.3, values).isDue()).isTrue();
    assertThat(new CollectPlanner(SETTINGS, 0.3, values).isDue()).isFalse();
  }

  @Test
  void dataBesideValuesHalvesItsAllowanceForGarbage() {
    ValuesBySegment values = new ValuesBySegment().stored(250).segment(1, 100, 0);
    assertThat(victims(SETTINGS, values.space(292, 100))).isEmpty();
    assertThat(victims(SETTINGS, values.space(294, 100))).containsExactly(1);
    assertThat(victims(SETTINGS, values.stored(125).space(146, 100))).isEmpty();
    assertThat(victims(SETTINGS, values.stored(125).space(147, 100))).containsExactly(1);
  }

  @Test
  void victimsSufficeToGetWellBelowTheLimit() {
    ValuesBySegment values = new ValuesBySegment().space(160, 100);
    for (int i = 1; i <= 9; i++) {
      values.segment(i, 20, 10);
    }
    assertThat(victims(SETTINGS, values)).containsExactly(1, 2);
    assertThat(new CollectPlanner(SETTINGS, 0.3, values).isDue()).isTrue();
  }

  @Test
  void segmentsWithMostGarbageComeFirst() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(7, 100, 60)
        .segment(8, 100, 30)
        .segment(9, 100, 70);
    assertThat(victims(SETTINGS, values)).containsExactly(8, 7, 9);
  }

  @Test
  void olderOfTwoEqualSegmentsComesFirst() {
    ValuesBySegment values =
        new ValuesBySegment().space(1000, 100).segment(3, 100, 50).segment(9, 100, 50);
    assertThat(victims(SETTINGS, values)).containsExactly(3, 9);
  }

  @Test
  void segmentsThatCostMoreThanTheyFreeAreNoVictims() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 81)
        .segment(2, 100, 80)
        .segment(3, 100, 100)
        .segment(4, 0, 0);
    assertThat(victims(SETTINGS, values)).containsExactly(2);
  }

  @Test
  void segmentsThatLevelZeroPointsIntoAreNoVictims() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 0)
        .segment(2, 100, 0)
        .l0(1);
    assertThat(victims(SETTINGS, values)).containsExactly(2);
  }

  @Test
  void collectionWaitsForLevelZeroIfItHoldsABetterVictim() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 50)
        .segment(2, 100, 60)
        .segment(3, 100, 81)
        .l0(2)
        .l0(3);
    assertThat(planner(values).waitsForL0()).isFalse();
    assertThat(planner(values.segment(5, 100, 30).l0(5)).waitsForL0()).isTrue();
  }

  @Test
  void collectionWaitsForLevelZeroIfNoOtherVictimExists() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 81)
        .segment(2, 100, 80)
        .l0(2);
    assertThat(planner(values).waitsForL0()).isTrue();
    assertThat(planner(values.space(100, 100)).waitsForL0()).isFalse();
  }

  @Test
  void explicitCollectTakesEveryVictimThatFreesSpace() {
    assertThat(victims(
            SETTINGS.whenAsked(), new ValuesBySegment().space(110, 100).segment(1, 100, 90)))
        .containsExactly(1);
    assertThat(victims(
            SETTINGS.whenAsked(), new ValuesBySegment().space(110, 100).segment(1, 100, 96)))
        .isEmpty();
  }

  @Test
  void partitionWithMostLiveBytesOfTheVictimMovesFirst() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 50)
        .segment(2, 100, 100)
        .run(1, 1, 10)
        .run(3, 2, 100)
        .run(4, 1, 20)
        .run(6, 1, 15);
    Plan.Clean plan = next(values).orElseThrow();
    assertThat(plan.partition()).isEqualTo(LEVEL.l1().get(1));
    assertThat(plan.segments()).containsExactly(1);
    assertThat(plan.reason()).isEqualTo(Plan.Clean.Reason.SPACE);
    // From the oldest run that points into the segment, which is the newer of the two.
    assertThat(plan.fromRun()).isEqualTo(1);
    assertThat(plan.toRun()).isEqualTo(2);
    assertThat(plan.dropsTombstones()).isFalse();
  }

  @Test
  void holesComeBeforeMoves() {
    ValuesBySegment values = new ValuesBySegment()
        .space(1000, 100)
        .segment(1, 100, 50)
        .run(1, 1, 10)
        .holes(1, 600)
        .holes(3, 700);
    Plan.Clean plan = next(values).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Plan.Clean.Reason.HOLES);
    assertThat(plan.partition()).isEqualTo(LEVEL.l1().get(1));
    assertThat(plan.runs()).hasSize(2);
    assertThat(plan.segments()).isEmpty();
    assertThat(next(values.holes(3, 0).holes(1, 601)).orElseThrow().partition())
        .isEqualTo(LEVEL.l1().get(0));
  }

  @Test
  void holesThatCostMoreThanTheyGiveAreNotMade() {
    ValuesBySegment values =
        new ValuesBySegment().space(1000, 100).segment(1, 100, 50).run(1, 1, 10);
    assertThat(next(values.holes(1, 599)).orElseThrow().segments()).containsExactly(1);
    assertThat(next(new ValuesBySegment()
            .space(100, 100)
            .segment(1, 100, 50)
            .run(1, 1, 10)
            .holes(1, 900)))
        .isEmpty();
  }

  @Test
  void pointersToDeadValuesAreRewrittenToo() {
    ValuesBySegment values =
        new ValuesBySegment().space(1000, 100).segment(1, 100, 0).run(1, 1, 0);
    Plan.Clean plan = next(values).orElseThrow();
    assertThat(plan.partition()).isEqualTo(LEVEL.l1().get(0));
    assertThat(plan.dropsTombstones()).isTrue();
  }

  @Test
  void partitionsOfRunningJobsAreLeftOut() {
    ValuesBySegment values =
        new ValuesBySegment().space(1000, 100).segment(1, 100, 50).run(1, 1, 10).run(3, 1, 5);
    CollectPlanner planner = new CollectPlanner(SETTINGS, 0.3, values);
    PartitionShape held = LEVEL.l1().get(0);
    assertThat(planner.next(LEVEL, partition -> !partition.equals(held)))
        .hasValueSatisfying(
            choice -> assertThat(choice.plan().partition()).isEqualTo(LEVEL.l1().get(1)));
    assertThat(planner.next(LEVEL, partition -> false)).isEmpty();
  }

  @Test
  void bytesOfOneMoveAreLimited() {
    ValuesBySegment values = new ValuesBySegment().space(4_000 * MIB, 500 * MIB);
    for (int i = 1; i <= 9; i++) {
      values.segment(i, 100 * MIB, 50 * MIB).run(1, i, 50 * MIB);
    }
    assertThat(next(values).orElseThrow().segments()).containsExactlyInAnyOrder(1, 2);
    // At least one segment, even if it is longer.
    ValuesBySegment large =
        new ValuesBySegment().space(4_000 * MIB, 1_000 * MIB).segment(1, 900 * MIB, 500 * MIB);
    assertThat(next(large.run(1, 1, 500 * MIB)).orElseThrow().segments()).containsExactly(1);
  }

  /** Returns partitions of two runs of 100 entries; the given number is dead in the older run. */
  private static LevelShape level(int... dead) {
    PartitionShape[] partitions = new PartitionShape[dead.length];
    for (int i = 0; i < dead.length; i++) {
      int from = 100 * i;
      partitions[i] = Shapes.partition(
          from,
          from + 99,
          Shapes.run(2 * i + 1, from, from + 99, 100, 0, dead[i]),
          Shapes.run(2 * i + 2, from, from + 99, 100));
    }
    return Shapes.level(List.of(), partitions);
  }

  private static CollectPlanner planner(ValuesBySegment values) {
    return new CollectPlanner(SETTINGS, 0.3, values);
  }

  private static Optional<Plan.Clean> next(LevelShape level, ValuesBySegment values) {
    return planner(values).next(level, partition -> true).map(CleanPicker.Choice::plan);
  }

  @Test
  void partitionWithMostGarbageIsCleanedFirst() {
    ValuesBySegment values = new ValuesBySegment().space(1000 * MIB, 100 * MIB);
    Plan.Clean plan = next(level(70, 90, 80), values).orElseThrow();
    assertThat(plan.reason()).isEqualTo(Plan.Clean.Reason.GARBAGE);
    assertThat(plan.fromRun()).isZero();
    assertThat(plan.toRun()).isEqualTo(2);
    assertThat(plan.partition().garbageFraction()).isEqualTo(0.45);
    assertThat(next(level(60, 66), values)).as("all within the limit").isEmpty();
    assertThat(planner(values).room(level(70)).pressure(0)).isPositive();
    assertThat(planner(values).room(level(60)).pressure(0)).isZero();
  }

  @Test
  void largerShareOfGarbageIsFreedFirst() {
    ValuesBySegment values =
        new ValuesBySegment().space(1000, 100).segment(1, 100, 60).run(1, 1, 60);
    assertThat(next(level(90), values).orElseThrow().reason()).isEqualTo(Plan.Clean.Reason.GARBAGE);
    assertThat(next(level(70), values).orElseThrow().reason()).isEqualTo(Plan.Clean.Reason.SPACE);
  }

  @Test
  void aMoveStaysOnTopUntilTheTablesAreDueForARewrite() {
    LevelShape level =
        Shapes.level(List.of(), Shapes.partition(0, 99, Shapes.pointers(1, 0, 99, 100, 0)));
    // Of 100 values of 970 bytes, 40 make 140 entries of which 40 are garbage.
    Plan.Clean few = next(level, moving(40 * 970)).orElseThrow();
    assertThat(few.onTop()).isTrue();
    assertThat(few.segments()).containsExactly(1);
    assertThat(next(level, moving(45 * 970)).orElseThrow().onTop()).isFalse();
  }

  private static ValuesBySegment moving(long bytes) {
    return new ValuesBySegment()
        .space(500_000, 100_000)
        .segment(1, 400_000, bytes)
        .run(1, 1, bytes);
  }

  @Test
  void pressureGrowsFromTheCollectionThresholdToTheLimit() {
    assertThat(pressure(14_650)).isZero();
    assertThat(pressure(14_825)).isCloseTo(0.5, within(1e-6));
    assertThat(pressure(15_000)).isCloseTo(1, within(1e-6));
    SpaceAmplificationBudget room = planner(14_600).room(LEVEL);
    assertThat(room.pressure(0)).isZero();
    assertThat(room.pressure(300 * MIB)).as("three quarters").isCloseTo(0.5, within(1e-6));
    assertThat(
            new CollectPlanner(SETTINGS, 0.3, new ValuesBySegment().space(3_000 * MIB, 1_000 * MIB))
                .pressure(LEVEL))
        .as("no pressure if no plan frees space")
        .isZero();
  }

  private static double pressure(long diskMib) {
    return planner(diskMib).pressure(LEVEL);
  }

  private static CollectPlanner planner(long diskMib) {
    ValuesBySegment values =
        new ValuesBySegment().space(diskMib * MIB, 10_000 * MIB).segment(1, 100, 50);
    return new CollectPlanner(SETTINGS, 0.3, values);
  }

  /** Moves of the due segments, partition after partition, end and free enough. */
  @Test
  void collectingReachesTheLimitOrRunsOutOfVictims() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      Map<Integer, long[]> liveByPartition = new HashMap<>();
      Map<Integer, Long> total = new HashMap<>();
      for (int number = 1; number <= 20; number++) {
        int live = random.nextInt(100);
        total.put(number, 100L);
        liveByPartition.put(number, new long[] {live / 3, live / 3, live - live / 3 * 2});
      }
      long written = 0;
      int next = 21;
      while (true) {
        ValuesBySegment values = values(liveByPartition, total);
        Optional<Plan.Clean> plan = next(values);
        if (plan.isEmpty()) {
          assertThat(values.space().diskBytes() <= 1.465 * values.space().liveBytes()
                  || values.space().segments().stream().allMatch(each -> each.liveFraction() > 0.8))
              .isTrue();
          break;
        }
        int partition = LEVEL.l1().indexOf(plan.get().partition());
        long moved = 0;
        for (int segment : plan.get().segments()) {
          moved += liveByPartition.get(segment)[partition];
          liveByPartition.get(segment)[partition] = -1;
          if (liveByPartition.values().stream().noneMatch(each -> each == null)
              && allMoved(liveByPartition.get(segment))) {
            liveByPartition.remove(segment);
            total.remove(segment);
          }
        }
        long[] own = {-1, -1, -1};
        own[partition] = moved;
        liveByPartition.put(next, own);
        total.put(next++, moved);
        written += moved;
        assertThat(written).isLessThanOrEqualTo(4 * 20 * 100);
      }
    }
  }

  private static boolean allMoved(long[] live) {
    return live[0] < 0 && live[1] < 0 && live[2] < 0;
  }

  /**
   * The state of a store. A negative number means that a partition no longer points into the
   * segment.
   */
  private static ValuesBySegment values(
      Map<Integer, long[]> liveByPartition, Map<Integer, Long> total) {
    ValuesBySegment values = new ValuesBySegment();
    long live = 0;
    long disk = 0;
    for (Map.Entry<Integer, long[]> each : liveByPartition.entrySet()) {
      long own = 0;
      for (int i = 0; i < 3; i++) {
        if (each.getValue()[i] >= 0) {
          values.run(2 * i + 1, each.getKey(), each.getValue()[i]);
          own += each.getValue()[i];
        }
      }
      values.segment(each.getKey(), total.get(each.getKey()), own);
      live += own;
      disk += total.get(each.getKey());
    }
    return values.space(disk, live);
  }

  @Test
  void invalidSettingsAreRefused() {
    assertThatThrownBy(() -> new CollectSettings(0.9, 0.9, 0.8, 1, 1, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("maxSpaceAmplification");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1.4, 0.8, 1, 1, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("restSpaceAmplification");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1.3, 1, 1, 1, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("liveFractionMax");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1.3, 0.8, 0, 1, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("slackBytes");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1.3, 0.8, 1, 1, 0))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("readBytesMax");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1.3, 0.8, 1, 0, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("movedBytesMin");
    assertThatThrownBy(() -> new ValueSegmentShape(1, 100, 101))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
