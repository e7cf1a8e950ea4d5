// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests splits and merges, and that they do not trigger each other forever. */
class ReshapeTest {

  private static final PolicySettings SETTINGS =
      new SettingsBuilder().partitionBytes(25, 100).deadFractionMax(0.3).build();

  private final ReshapePlanner reshapes = new ReshapePlanner(Shapes.EVEN, SETTINGS);

  private List<String> split(PartitionShape partition) {
    return reshapes
        .split(partition)
        .map(plan -> plan.pieces().stream().map(IntKeys::text).toList())
        .orElse(List.of());
  }

  private Optional<String> merge(RunningPlans inProgress, PartitionShape... l1) {
    return reshapes.merge(level(List.of(), l1), inProgress).map(plan -> IntKeys.text(plan.range()));
  }

  private static PartitionShape sized(int from, int to, long bytes) {
    return bytes == 0 ? partition(from, to) : partition(from, to, run(from, from, to, bytes));
  }

  @Test
  void onlyAPartitionOverTheLimitIsSplit() {
    assertThat(split(sized(0, 99, 100))).isEmpty();
    assertThat(split(sized(0, 99, 101))).containsExactly("[0-49]", "[50-99]");
  }

  @Test
  void piecesAreAboutHalfTheLimit() {
    assertThat(split(sized(0, 99, 200))).containsExactly("[0-24]", "[25-49]", "[50-74]", "[75-99]");
    assertThat(split(sized(0, 999, 500))).hasSize(10);
  }

  @Test
  void openEndsStayOpen() {
    PartitionShape all = new PartitionShape(KeyRange.ALL, List.of(run(1, 0, 99, 101)));
    assertThat(split(all)).containsExactly("[-49]", "[50-]");
  }

  @Test
  void muchGarbageIsCleanedBeforeAnySplit() {
    PartitionShape partition = partition(0, 99, run(1, 0, 99, 100, 0, 40), run(2, 0, 99, 20));
    assertThat(split(partition)).isEmpty();
    assertThat(new CleanPlanner(SETTINGS).plan(partition)).isPresent();
  }

  @Test
  void oneKeyCannotBeSplit() {
    assertThat(split(sized(7, 7, 500))).isEmpty();
  }

  @Test
  void aSmallPartitionJoinsItsSmallerNeighbour() {
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 40), sized(10, 19, 24), sized(20, 29, 30)))
        .contains("[10-29]");
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 30), sized(10, 19, 24), sized(20, 29, 40)))
        .contains("[0-19]");
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 24), sized(20, 29, 40))).contains("[0-29]");
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 40), sized(20, 29, 24))).contains("[0-29]");
  }

  @Test
  void mergeNeedsASmallPartitionAndANeighbourWithSpace() {
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 25), sized(10, 19, 25))).isEmpty();
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 24), sized(10, 19, 52))).isEmpty();
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 24), sized(10, 19, 51))).isPresent();
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 24))).isEmpty();
    assertThat(merge(RunningPlans.NONE)).isEmpty();
  }

  @Test
  void anEmptyPartitionJoinsAnyNeighbour() {
    assertThat(merge(RunningPlans.NONE, sized(0, 9, 0), sized(10, 19, 99))).contains("[0-19]");
  }

  @Test
  void partitionsOfRunningJobsAreNotMerged() {
    PartitionShape[] l1 = {sized(0, 9, 10), sized(20, 29, 10)};
    RunningPlans betweenThem = new RunningPlans(Set.of(), List.of(IntKeys.span(12, 15)), List.of());
    assertThat(merge(betweenThem, l1)).isEmpty();
    RunningPlans cleaning = new RunningPlans(Set.of(), List.of(), List.of(IntKeys.span(20, 29)));
    assertThat(merge(cleaning, l1)).isEmpty();
    RunningPlans elsewhere = new RunningPlans(Set.of(), List.of(IntKeys.span(30, 40)), List.of());
    assertThat(merge(elsewhere, l1)).isPresent();
  }

  @Test
  void mergedRunsAreSortedByAgeAndKeepTheirOrder() {
    PartitionShape left = partition(0, 9, run(1, 0, 9, 5), run(8, 0, 9, 1), run(6, 0, 9, 1));
    PartitionShape right = partition(10, 19, run(2, 10, 19, 5), run(7, 10, 19, 1));
    Plan.Merge plan =
        reshapes.merge(level(List.of(), left, right), RunningPlans.NONE).orElseThrow();
    assertThat(plan.order()).containsExactly(0, 3, 4, 1, 2);
  }

  /**
   * Without new data, splits and merges of random partitions end, and no split or merge stays due.
   */
  @Test
  void splitsAndMergesEnd() {
    SeededRuns.run(200, random -> {
      ModelLevel level = new ModelLevel(1 + random.nextInt(9), 1 + random.nextInt(8));
      PolicySettings appends =
          new SettingsBuilder().l0(0, 1).newRangeEntriesMin(1).build();
      for (int from = 0; from < 2_000; from += 1 + random.nextInt(200)) {
        TreeMap<Integer, Long> contents = new TreeMap<>();
        int width = 1 + random.nextInt(200);
        for (int i = random.nextInt(60); i >= 0; i--) {
          contents.put(from + random.nextInt(width), from + 1L);
        }
        level.flush(contents);
        LevelShape shape = level.shape();
        level.install(new AppendPlanner(level, appends).plan(shape, shape.l0()));
      }
      int before = level.partitions().size();
      List<String> steps = new ArrayList<>();
      CompactionPicker planner = new CompactionPicker(level, SETTINGS);
      for (Optional<Plan> plan = planner.next(level.shape(), List.of());
          plan.isPresent() && !(plan.get() instanceof Plan.Clean);
          plan = planner.next(level.shape(), List.of())) {
        level.install(plan.get());
        steps.add(plan.get().getClass().getSimpleName());
        assertThat(steps).hasSizeLessThan(10 * before + 100);
      }
      int firstMerge = steps.indexOf("Plan.Merge");
      assertThat(firstMerge < 0 || firstMerge > steps.lastIndexOf("Plan.Split"))
          .as("no merge makes a split due")
          .isTrue();
    });
  }
}
