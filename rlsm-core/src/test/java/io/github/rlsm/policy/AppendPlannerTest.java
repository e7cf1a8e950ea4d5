// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.policy.Plan.Compaction.Link;
import io.github.rlsm.policy.Plan.Compaction.NewRun;
import io.github.rlsm.policy.Plan.Compaction.Rewrite;
import io.github.rlsm.policy.Plan.Compaction.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AppendPlannerTest {

  private static Plan.Compaction plan(SettingsBuilder settings, LevelShape level) {
    return new AppendPlanner(Shapes.EVEN, settings.build()).plan(level, level.l0());
  }

  private static List<String> text(Plan.Compaction plan) {
    List<String> lines = new ArrayList<>();
    for (Target target : plan.targets()) {
      String kind = target.partition() == null ? "new" : target.isWidened() ? "wider" : "as is";
      List<String> runs = target.runs().stream().map(AppendPlannerTest::text).toList();
      lines.add(kind + " " + IntKeys.text(target.range()) + " " + String.join(" ", runs));
    }
    return lines;
  }

  private static String text(NewRun run) {
    if (run instanceof Link link) {
      return "link:" + link.slice().run().id() + IntKeys.text(link.slice().range());
    }
    Rewrite rewrite = (Rewrite) run;
    List<String> ids =
        rewrite.slices().stream().map(slice -> "" + slice.run().id()).toList();
    return (rewrite.dropsTombstones() ? "founding:" : "append:") + String.join("+", ids);
  }

  @Test
  void largeSlicesAreLinkedAndSmallOnesMergedBetweenThem() {
    LevelShape level = level(
        List.of(
            run(1, 0, 199, 100), // half of it in each partition
            run(2, 0, 199, 120),
            run(3, 0, 199, 400), // large enough to link
            run(4, 90, 109, 10),
            run(5, 20, 30, 5)), // inside one partition
        partition(0, 99),
        partition(100, 199));

    Plan.Compaction plan = plan(new SettingsBuilder().linkBytesMin(150), level);

    assertThat(text(plan))
        .containsExactly(
            "as is [0-99] append:1+2 link:3[0-99] append:4 link:5[20-30]",
            "as is [100-199] append:1+2 link:3[100-199] append:4");
    assertThat(plan.rewrittenBytes()).isEqualTo(50 + 60 + 5 + 50 + 60 + 5);
    assertThat(plan.victims()).isEqualTo(level.l0());
  }

  @Test
  void fewEntriesFoundAPartitionWhereThereIsNone() {
    LevelShape level = level(List.of(run(1, 5, 9, 2), run(2, 7, 20, 2)));
    assertThat(text(plan(new SettingsBuilder().newRangeEntriesMin(100), level)))
        .containsExactly("new [5-20] link:1[5-9] link:2[7-20]");
  }

  @Test
  void newRangeCoversTheEntriesInItsGap() {
    LevelShape level = level(List.of(run(1, 20, 60, 41)), partition(0, 29), partition(50, 99));
    assertThat(text(plan(new SettingsBuilder().newRangeEntriesMin(10).linkBytesMin(99), level)))
        .containsExactly(
            "as is [0-29] append:1", "new [30-49] founding:1", "as is [50-99] append:1");
  }

  @Test
  void fewEntriesWidenTheSmallerNeighbour() {
    RunShape large = run(9, 1, 2, 50);
    RunShape small = run(8, 71, 72, 5);
    LevelShape level =
        level(List.of(run(1, 40, 45, 3)), partition(0, 29, large), partition(70, 99, small));
    SettingsBuilder settings = new SettingsBuilder().newRangeEntriesMin(10);
    assertThat(text(plan(settings, level))).containsExactly("wider [40-99] link:1[40-45]");

    LevelShape outside =
        level(List.of(run(1, 200, 205, 3)), partition(0, 29, large), partition(70, 99, small));
    assertThat(text(plan(settings, outside))).containsExactly("wider [70-205] link:1[200-205]");

    LevelShape before = level(List.of(run(1, 2, 3, 2)), partition(10, 29));
    assertThat(text(plan(settings, before))).containsExactly("wider [2-29] link:1[2-3]");
  }

  @Test
  void aPartitionMayGrowOnBothSides() {
    LevelShape level = level(List.of(run(1, 8, 33, 26)), partition(10, 30));
    assertThat(text(plan(new SettingsBuilder().newRangeEntriesMin(10), level)))
        .containsExactly("wider [8-33] link:1[8-33]");
  }

  @Test
  void onlyTheFirstRunOfANewRangeMayDropTombstones() {
    LevelShape level = level(
        List.of(run(1, 0, 20, 20), run(2, 0, 200, 200), run(3, 0, 150, 50)), partition(100, 300));
    List<String> targets =
        text(plan(new SettingsBuilder().newRangeEntriesMin(1).linkBytesMin(90), level));
    assertThat(targets)
        .containsExactly(
            "new [0-99] link:1[0-20] link:2[0-99] append:3",
            "as is [100-300] link:2[100-200] append:3");
  }

  @Test
  void everyKeyOfEveryVictimHasExactlyOnePlace() {
    SeededRuns.run(300, random -> {
      List<RunShape> l0 = new ArrayList<>();
      for (int id = 1; id <= 1 + random.nextInt(6); id++) {
        int from = random.nextInt(300);
        l0.add(run(id, from, from + random.nextInt(300), 1 + random.nextInt(400)));
      }
      List<PartitionShape> l1 = new ArrayList<>();
      for (int from = random.nextInt(200); from < 600; from += random.nextInt(200)) {
        int to = from + random.nextInt(150);
        l1.add(partition(from, to));
        from = to + 1;
      }
      LevelShape level = new LevelShape(l0, l1);
      Plan.Compaction plan = plan(
          new SettingsBuilder()
              .newRangeEntriesMin(1 + random.nextInt(100))
              .linkBytesMin(random.nextInt(100)),
          level);
      for (RunShape victim : l0) {
        int from = IntKeys.ceiling(victim.span().from());
        for (int key = from; key < IntKeys.ceiling(victim.span().to()); key++) {
          assertThat(places(plan, victim, IntKeys.key(key))).isEqualTo(1);
        }
      }
      for (Target target : plan.targets()) {
        assertThat(target.partition() == null
                || target.range().covers(target.partition().range()))
            .isTrue();
      }
    });
  }

  private static long places(Plan.Compaction plan, RunShape victim, byte[] key) {
    return plan.targets().stream()
        .flatMap(target -> target.runs().stream())
        .flatMap(run ->
            run instanceof Link link ? Stream.of(link.slice()) : ((Rewrite) run).slices().stream())
        .filter(slice -> slice.run().equals(victim) && slice.range().contains(key))
        .count();
  }
}
