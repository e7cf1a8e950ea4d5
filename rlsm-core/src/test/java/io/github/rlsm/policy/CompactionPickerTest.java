// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.ids;
import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompactionPickerTest {

  private static SettingsBuilder settings() {
    return new SettingsBuilder()
        .l0(1, 1)
        .partitionBytes(10, 1_000)
        .runCountMax(2)
        .linkBytesMin(100)
        .newRangeEntriesMin(1)
        .parallelism(2);
  }

  private static Optional<Plan> next(SettingsBuilder settings, LevelShape level, Plan... running) {
    return new CompactionPicker(Shapes.EVEN, settings.build()).next(level, List.of(running));
  }

  /** Returns a partition whose runs all span it. */
  private static PartitionShape stack(int from, int to, int runs) {
    return partition(
        from,
        to,
        IntStream.range(0, runs)
            .mapToObj(i -> run(1_000L + from + i, from, to, 50))
            .toArray(RunShape[]::new));
  }

  private static Plan.Clean cleanOf(PartitionShape partition) {
    return new Plan.Clean(partition, 0, partition.runs().size(), true, Plan.Clean.Reason.RUNS);
  }

  private static PartitionShape cleaned(Optional<Plan> plan) {
    return ((Plan.Clean) plan.orElseThrow()).partition();
  }

  /** Returns two runs across the first two partitions of the tests below. */
  private static List<RunShape> wideL0() {
    return List.of(run(1, 0, 199, 20), run(2, 0, 199, 20));
  }

  @Test
  void nothingIsPlannedIfNothingIsDue() {
    assertThat(next(settings(), level(List.of()))).isEmpty();
    assertThat(next(settings(), level(List.of(run(1, 0, 9, 5)), stack(0, 99, 2))))
        .isEmpty();
  }

  @Test
  void reshapingComesFirstEvenWithoutAFreePlace() {
    PartitionShape large = partition(0, 99, run(9, 0, 99, 1_001));
    PartitionShape small = partition(100, 199, run(8, 100, 199, 5));
    PartitionShape other = stack(500, 599, 3);
    Plan.Clean one = cleanOf(stack(600, 699, 3));
    Plan.Clean two = cleanOf(stack(700, 799, 3));

    assertThat(next(settings(), level(wideL0(), large, other), one, two))
        .containsInstanceOf(Plan.Split.class);
    assertThat(next(settings(), level(wideL0(), small, other), one, two))
        .containsInstanceOf(Plan.Merge.class);
  }

  @Test
  void aSplitWaitsForAJobButNoCleanStartsBeforeIt() {
    PartitionShape large =
        partition(0, 99, run(9, 0, 99, 1_001), run(8, 0, 99, 5), run(7, 0, 99, 5));
    LevelShape level = level(List.of(run(1, 50, 60, 1), run(2, 50, 60, 1)), large);
    Plan.Compaction appending =
        (Plan.Compaction) next(settings().partitionBytes(10, 9_000), level).orElseThrow();

    assertThat(next(settings().parallelism(4), level, appending)).isEmpty();
    assertThat(next(settings().parallelism(4), level)).containsInstanceOf(Plan.Split.class);
  }

  @Test
  void linkingNeedsNoFreePlace() {
    LevelShape level =
        level(List.of(run(1, 5, 9, 3), run(2, 20, 30, 3)), partition(0, 99, run(9, 0, 99, 50)));
    Plan.Clean one = cleanOf(stack(600, 699, 3));
    Plan.Clean two = cleanOf(stack(700, 799, 3));
    Plan plan = next(settings(), level, one, two).orElseThrow();
    assertThat(plan).isInstanceOf(Plan.Compaction.class);
    assertThat(plan.rewrittenBytes()).isZero();
  }

  @Test
  void movingDataNeedsAFreePlace() {
    LevelShape level = level(wideL0(), stack(0, 99, 1), stack(100, 199, 1));
    Plan.Clean one = cleanOf(stack(600, 699, 3));
    Plan.Clean two = cleanOf(stack(700, 799, 3));
    assertThat(next(settings(), level, one, two)).isEmpty();
    assertThat(next(settings(), level, one)).containsInstanceOf(Plan.Compaction.class);
  }

  @Test
  void jobFurthestPastItsThresholdComesFirst() {
    SettingsBuilder single = settings().parallelism(1);
    PartitionShape deep = stack(100, 199, 5);
    LevelShape cleanIsUrgent = level(wideL0(), stack(0, 99, 1), deep);
    assertThat(cleaned(next(single, cleanIsUrgent))).isEqualTo(deep);

    List<RunShape> many = new ArrayList<>(wideL0());
    many.addAll(List.of(run(3, 0, 199, 20), run(4, 0, 199, 20)));
    LevelShape compactIsUrgent = level(many, stack(0, 99, 1), deep);
    assertThat(next(single, compactIsUrgent)).containsInstanceOf(Plan.Compaction.class);
  }

  @Test
  void theDeepestPartitionIsCleanedFirst() {
    LevelShape level = level(List.of(), stack(0, 99, 3), stack(100, 199, 4), stack(200, 299, 4));
    assertThat(cleaned(next(settings(), level))).isEqualTo(stack(100, 199, 4));
  }

  @Test
  void disjointPartitionsAreCleanedAtTheSameTime() {
    LevelShape level = level(List.of(), stack(0, 99, 3), stack(100, 199, 3), stack(200, 299, 3));
    List<Plan> running = new ArrayList<>();
    for (Optional<Plan> plan = next(settings().parallelism(5), level);
        plan.isPresent();
        plan = next(settings().parallelism(5), level, running.toArray(Plan[]::new))) {
      running.add(plan.get());
    }
    assertThat(running).hasSize(3).doesNotHaveDuplicates().allMatch(Plan.Clean.class::isInstance);
  }

  @Test
  void cleansLeaveOnePlaceWhileL0HoldsAnything() {
    PartitionShape[] deep = {stack(0, 99, 3), stack(100, 199, 3)};
    Plan.Clean first = cleanOf(deep[0]);
    assertThat(next(settings(), level(List.of(run(1, 500, 501, 1)), deep), first))
        .isEmpty();
    assertThat(next(settings(), level(List.of(), deep), first)).isPresent();
  }

  @Test
  void compactionAppendsWhileThePartitionIsCleaned() {
    PartitionShape deep = stack(0, 99, 3);
    LevelShape level = level(List.of(run(1, 5, 9, 3), run(2, 20, 30, 3)), deep);
    assertThat(next(settings(), level, cleanOf(deep))).containsInstanceOf(Plan.Compaction.class);
  }

  @Test
  void noPartitionIsWidenedWhileItIsCleaned() {
    PartitionShape deep = stack(0, 99, 3);
    SettingsBuilder widening = settings().newRangeEntriesMin(1_000).parallelism(3);
    LevelShape level = level(List.of(run(1, 90, 110, 3), run(2, 90, 105, 3)), deep);
    Plan.Compaction widens =
        (Plan.Compaction) next(widening, level(level.l0(), stack(0, 99, 1))).orElseThrow();
    assertThat(widens.targets()).singleElement().matches(Plan.Compaction.Target::isWidened);

    assertThat(next(widening, level, cleanOf(deep))).isEmpty();
    assertThat(next(widening, level, widens)).isEmpty();
  }

  @Test
  void disjointVictimsAreCompactedAtTheSameTime() {
    List<RunShape> l0 = List.of(
        run(1, 90, 110, 20), run(2, 490, 510, 10), run(3, 95, 120, 10), run(4, 495, 505, 5));
    LevelShape level =
        level(l0, stack(0, 99, 1), stack(100, 199, 1), stack(400, 499, 1), stack(500, 599, 1));

    Plan.Compaction first = (Plan.Compaction) next(settings(), level).orElseThrow();
    Plan.Compaction second = (Plan.Compaction) next(settings(), level, first).orElseThrow();

    assertThat(ids(first.victims())).containsExactly(1L);
    assertThat(ids(second.victims())).as("without 3, which lies above 1").containsExactly(2L);
    assertThat(next(settings().parallelism(9), level, first, second)).isEmpty();
  }

  @Test
  void decisionsAreDeterministic() {
    LevelShape level = level(wideL0(), stack(0, 99, 3), stack(100, 199, 4));
    assertThat(next(settings(), level)).isEqualTo(next(settings(), level));
  }

  @Test
  void debtCountsDueWork() {
    PolicySettings settings = settings().build();
    assertThat(CompactionPicker.debtBytes(level(List.of()), settings)).isZero();
    assertThat(
            CompactionPicker.debtBytes(level(List.of(run(1, 0, 9, 5)), stack(0, 99, 2)), settings))
        .isZero();
    LevelShape behind =
        level(List.of(run(1, 0, 9, 5), run(2, 0, 9, 7), run(3, 0, 9, 6)), stack(0, 99, 3));
    assertThat(CompactionPicker.debtBytes(behind, settings)).isEqualTo(7 + 6 + 75);
  }
}
