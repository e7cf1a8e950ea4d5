// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.pointers;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.policy.Plan.Clean.Reason;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CleanPlannerTest {

  private final CleanPlanner planner =
      new CleanPlanner(new SettingsBuilder().runCountMax(3).deadFractionMax(0.3).build());

  private Plan.Clean due(PartitionShape partition) {
    assertThat(planner.urgency(partition)).isPositive();
    return planner.plan(partition).orElseThrow();
  }

  private void notDue(PartitionShape partition) {
    assertThat(planner.urgency(partition)).isNotPositive();
    assertThat(planner.plan(partition)).isEmpty();
  }

  private static void rewrites(Plan.Clean plan, int from, int to) {
    assertThat(plan.fromRun()).isEqualTo(from);
    assertThat(plan.toRun()).isEqualTo(to);
  }

  private static PartitionShape stack(long... bytes) {
    return partition(
        0,
        99,
        IntStream.range(0, bytes.length)
            .mapToObj(i -> run(i, 0, 99, bytes[i]))
            .toArray(RunShape[]::new));
  }

  @Test
  void fewRunsWithLittleGarbageAreLeftAlone() {
    notDue(partition(0, 99));
    notDue(stack(100, 10, 1));
    notDue(partition(0, 99, run(1, 0, 99, 100, 0, 20), run(2, 0, 99, 20, 10, 0)));
  }

  @Test
  void runsOfLikeSizeAreRewrittenAndTheBaseIsSpared() {
    Plan.Clean plan = due(stack(1_000, 10, 10, 10));
    rewrites(plan, 1, 4);
    assertThat(plan.reason()).isEqualTo(Reason.RUNS);
    assertThat(plan.dropsTombstones()).isFalse();
    assertThat(plan.rewrittenBytes()).isEqualTo(30);
  }

  @Test
  void theBaseIsRewrittenWhenTheOthersHaveGrown() {
    rewrites(due(stack(40, 30, 10, 10)), 2, 4);
    Plan.Clean plan = due(stack(40, 30, 20, 10));
    rewrites(plan, 0, 4);
    assertThat(plan.dropsTombstones()).isTrue();
  }

  @Test
  void oldRunsThatSplitsMadeSmallAreRewrittenToo() {
    rewrites(due(stack(5, 5, 400, 90)), 0, 2);
  }

  @Test
  void cheapestRunsAreRewrittenIfNoSizesAreAlike() {
    rewrites(due(stack(1_000, 100, 10, 1)), 2, 4);
  }

  @Test
  void disjointRunsDoNotAddToTheDepth() {
    RunShape[] sideBySide =
        IntStream.range(0, 12).mapToObj(i -> run(i, i, i, 10)).toArray(RunShape[]::new);
    notDue(partition(0, 99, sideBySide));

    RunShape[] tooMany =
        IntStream.range(0, 13).mapToObj(i -> run(i, i, i, 10)).toArray(RunShape[]::new);
    rewrites(due(partition(0, 99, tooMany)), 0, 13);
  }

  @Test
  void onlyRunsOverTheDeepestKeyAreMerged() {
    PartitionShape partition = partition(
        0,
        99,
        run(0, 0, 9, 1),
        run(1, 10, 19, 1),
        run(2, 50, 99, 50),
        run(3, 50, 99, 50),
        run(4, 50, 99, 50),
        run(5, 50, 99, 50));
    rewrites(due(partition), 2, 6);
  }

  @Test
  void garbageIsCollectedFromTheShortestSuffixThatHelps() {
    PartitionShape partition =
        partition(0, 99, run(0, 0, 99, 100, 0, 10), run(1, 0, 99, 60, 0, 55), run(2, 0, 99, 50));
    Plan.Clean plan = due(partition);
    rewrites(plan, 1, 3);
    assertThat(plan.reason()).isEqualTo(Reason.GARBAGE);
    assertThat(plan.dropsTombstones()).isFalse();
  }

  @Test
  void tombstonesOverOlderRunsForceAFullRewrite() {
    PartitionShape partition =
        partition(0, 99, run(0, 0, 99, 100, 0, 10), run(1, 0, 99, 60, 60, 0));
    Plan.Clean plan = due(partition);
    rewrites(plan, 0, 2);
    assertThat(plan.dropsTombstones()).isTrue();
  }

  @Test
  void tombstonesWithoutOlderRunsAreDroppedAlone() {
    PartitionShape partition = partition(0, 99, run(0, 0, 49, 100), run(1, 50, 99, 60, 60, 0));
    Plan.Clean plan = due(partition);
    rewrites(plan, 1, 2);
    assertThat(plan.dropsTombstones()).isTrue();
  }

  @Test
  void aRunOfTombstonesAloneIsDropped() {
    Plan.Clean plan = due(partition(0, 99, run(0, 0, 99, 60, 60, 0)));
    rewrites(plan, 0, 1);
    assertThat(plan.dropsTombstones()).isTrue();
  }

  /** Dead values in segments are outside of this planner, see {@link CollectPlanner}. */
  @Test
  void garbageFractionCountsEntriesWithSeparatedValues() {
    PartitionShape values =
        partition(0, 99, pointers(0, 0, 99, 1_000, 300), pointers(1, 0, 99, 100, 0));
    assertThat(values.garbageFraction()).isCloseTo(300.0 / 1_100, within(1e-9));
    notDue(values);
    Plan.Clean plan =
        due(partition(0, 99, pointers(0, 0, 99, 1_000, 400), pointers(1, 0, 99, 100, 0)));
    assertThat(plan.reason()).isEqualTo(Reason.GARBAGE);
    rewrites(plan, 0, 2);
    assertThat(partition(0, 99).garbageFraction()).isZero();
    assertThat(partition(0, 99, pointers(0, 0, 99, 10, 10)).garbageFraction()).isEqualTo(1);
  }

  @Test
  void urgencyGrowsWithRunsAndGarbage() {
    assertThat(planner.urgency(stack(1, 1, 1, 1)))
        .isLessThan(planner.urgency(stack(1, 1, 1, 1, 1)));
    PartitionShape half = partition(0, 99, run(0, 0, 99, 100, 0, 50));
    PartitionShape all = partition(0, 99, run(0, 0, 99, 100, 0, 100));
    assertThat(planner.urgency(half)).isPositive().isLessThan(planner.urgency(all));
    assertThat(planner.urgency(all)).isEqualTo(1);
  }

  /** After a clean for garbage, the remaining garbage is not due, so cleaning ends. */
  @Test
  void oneGarbageCleanSuffices() {
    SeededRuns.run(1_000, random -> {
      RunShape[] runs = IntStream.range(0, 1 + random.nextInt(6))
          .mapToObj(i -> {
            int from = random.nextInt(90);
            int entries = 1 + random.nextInt(100);
            int dead = random.nextInt(entries + 1);
            int tombstones = random.nextInt(entries - dead + 1);
            return run(i, from, from + random.nextInt(10), entries, tombstones, dead);
          })
          .toArray(RunShape[]::new);
      planner
          .plan(partition(0, 99, runs))
          .filter(p -> p.reason() == Reason.GARBAGE)
          .ifPresent(plan -> {
            double garbage = 0;
            double entries = 0;
            for (RunShape run : plan.partition().runs()) {
              boolean rewritten = plan.runs().contains(run);
              boolean kept = !rewritten || !plan.dropsTombstones();
              garbage += (rewritten ? 0 : run.deadEntries()) + (kept ? run.tombstones() : 0);
              entries += run.entries()
                  - (rewritten ? run.deadEntries() : 0)
                  - (kept ? 0 : run.tombstones());
            }
            assertThat(garbage).isLessThanOrEqualTo(0.15 * entries + 1e-9);
          });
    });
  }
}
