// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.ids;
import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeededRuns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VictimPickerTest {

  private static List<Long> pick(
      SettingsBuilder settings, LevelShape level, RunningPlans inProgress) {
    return ids(new VictimPicker(settings.build()).pick(level, inProgress));
  }

  private static SettingsBuilder oneAtATime() {
    return new SettingsBuilder().l0(0, 1);
  }

  @Test
  void noVictimsUpToTheTrigger() {
    LevelShape level = level(List.of(run(1, 0, 9, 10), run(2, 0, 9, 10)));
    assertThat(pick(new SettingsBuilder().l0(2, 2), level, RunningPlans.NONE)).isEmpty();
    assertThat(pick(new SettingsBuilder().l0(1, 2), level, RunningPlans.NONE))
        .containsExactly(1L, 2L);
    assertThat(pick(oneAtATime(), level(List.of()), RunningPlans.NONE)).isEmpty();
  }

  @Test
  void theWholeUnionSetGoesAtOnce() {
    LevelShape level = level(
        List.of(run(1, 2, 5, 10), run(2, 20, 120, 900), run(3, 6, 9, 1), run(4, 105, 110, 1)),
        partition(0, 10),
        partition(100, 200));
    // Run 4 also lies in one partition, but above run 2, which does not.
    assertThat(pick(oneAtATime(), level, RunningPlans.NONE)).containsExactly(1L, 3L);
  }

  @Test
  void densestRunMovesWithTheRunsBelowIt() {
    LevelShape level = level(List.of(
        run(1, 0, 100, 50), run(2, 300, 400, 90), run(3, 90, 310, 20), run(4, 305, 306, 40)));
    // 4 is densest and lies above 2 and 3; 3 lies above 1.
    assertThat(pick(oneAtATime(), level, RunningPlans.NONE)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void olderOfEquallyDenseRunsMovesFirst() {
    LevelShape level = level(List.of(run(1, 0, 10, 10), run(2, 50, 60, 10), run(3, 20, 30, 10)));
    assertThat(pick(oneAtATime(), level, RunningPlans.NONE)).containsExactly(1L);
    assertThat(pick(new SettingsBuilder().l0(0, 2), level, RunningPlans.NONE))
        .containsExactly(1L, 2L);
  }

  @Test
  void theBudgetCutsOffTheNewestOfAClosure() {
    LevelShape level = level(List.of(run(1, 0, 100, 50), run(2, 0, 100, 60), run(3, 0, 100, 70)));
    SettingsBuilder settings = new SettingsBuilder().l0(0, 3);
    assertThat(pick(settings.compactBytesMax(110), level, RunningPlans.NONE))
        .containsExactly(1L, 2L);
    assertThat(pick(settings.compactBytesMax(1), level, RunningPlans.NONE)).containsExactly(1L);
  }

  @Test
  void noRunMovesBelowAnOlderRunOfARunningJob() {
    LevelShape level = level(
        List.of(run(1, 0, 50, 10), run(2, 40, 90, 10), run(3, 80, 99, 10), run(4, 500, 600, 1)));
    RunningPlans inProgress = new RunningPlans(Set.of(1L), List.of(), List.of());
    assertThat(pick(oneAtATime(), level, inProgress)).containsExactly(4L);
    RunningPlans appending = new RunningPlans(Set.of(), List.of(IntKeys.span(590, 700)), List.of());
    assertThat(pick(new SettingsBuilder().l0(0, 9), level, appending)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void victimsAreAlwaysClosedAndFree() {
    SeededRuns.run(500, random -> {
      List<RunShape> l0 = new ArrayList<>();
      Set<Long> busyIds = new HashSet<>();
      for (int id = 0; id < 1 + random.nextInt(12); id++) {
        int from = random.nextInt(100);
        l0.add(run(id, from, from + random.nextInt(40), 1 + random.nextInt(50)));
        if (random.nextInt(6) == 0) {
          busyIds.add((long) id);
        }
      }
      SettingsBuilder settings = new SettingsBuilder()
          .l0(random.nextInt(3), 1 + random.nextInt(5))
          .compactBytesMax(1 + random.nextInt(200));
      LevelShape level = level(l0, partition(0, random.nextInt(150)));
      RunningPlans inProgress = new RunningPlans(busyIds, List.of(), List.of());

      List<Long> victims = pick(settings, level, inProgress);

      assertThat(victims).isSorted().noneMatch(busyIds::contains);
      for (RunShape victim : l0) {
        for (RunShape older : l0.subList(0, l0.indexOf(victim))) {
          if (victims.contains(victim.id()) && older.span().intersects(victim.span())) {
            assertThat(victims).contains(older.id());
          }
        }
      }
      assertThat(pick(settings, level, inProgress)).as("a second pick").isEqualTo(victims);
    });
  }

  @Test
  void theLargestClosedSetIsTheUnionOfFittingClosures() {
    SeededRuns.run(500, random -> {
      List<RunShape> l0 = new ArrayList<>();
      BitSet allowed = new BitSet();
      for (int i = 0; i < 10; i++) {
        int from = random.nextInt(60);
        l0.add(run(i, from, from + random.nextInt(20), 1));
        allowed.set(i, random.nextInt(4) > 0);
      }
      BitSet union = new BitSet();
      for (int i = 0; i < 10; i++) {
        BitSet closure = VictimPicker.closure(l0, i);
        BitSet outside = (BitSet) closure.clone();
        outside.andNot(allowed);
        if (outside.isEmpty()) {
          union.or(closure);
        }
      }
      assertThat(VictimPicker.largestClosedSet(l0, allowed::get)).isEqualTo(union);
    });
  }
}
