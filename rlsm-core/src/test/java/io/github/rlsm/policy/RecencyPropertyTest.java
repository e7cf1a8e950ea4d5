// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A search finds the newest version of each key after any flushes and plans, with jobs that run
 * concurrently and are installed in any order. The expected versions come from a map.
 *
 * <p>Guards invariant I-4 of ARCHITECTURE.md.
 */
class RecencyPropertyTest {

  private static final int KEYS = 200;

  @Test
  void newestVersionIsFoundAfterAnyOrderOfInstalls() {
    SeededRuns.run(300, random -> new History(random).play(120));
  }

  /** The model must notice the error that the closure prevents. */
  @Test
  void olderRunLeftBehindIsNoticed() {
    ModelLevel level = new ModelLevel(10, 1);
    level.flush(new TreeMap<>(Map.of(5, 1L, 100, 2L)));
    level.flush(new TreeMap<>(Map.of(5, 3L, 6, 4L)));
    PolicySettings settings = new SettingsBuilder().l0(1, 1).build();
    LevelShape shape = level.shape();

    RunShape denserAndNewer = shape.l0().get(1);
    assertThat(new VictimPicker(settings).pick(shape, RunningPlans.NONE)).isEqualTo(shape.l0());

    level.install(new AppendPlanner(level, settings).plan(shape, List.of(denserAndNewer)));
    assertThat(level.find(5)).as("the stale version").isEqualTo(1);
  }

  /** The model must notice an installed plan that makes partitions overlap. */
  @Test
  void overlappingPartitionsAreNoticed() {
    PartitionShape left = new PartitionShape(IntKeys.span(1, 10), List.of());
    PartitionShape right = new PartitionShape(IntKeys.span(10, 20), List.of());
    assertThatThrownBy(() -> new LevelShape(List.of(), List.of(left, right)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** One random history. Jobs start, run for a while, and are installed in any order. */
  private static final class History {
    private final Random random;
    private final ModelLevel level;
    private final CompactionPicker planner;
    private final TreeMap<Integer, Long> newest = new TreeMap<>();
    private final List<Plan> running = new ArrayList<>();
    private long seqno;

    History(Random random) {
      this.random = random;
      this.level = new ModelLevel(10, 1 + random.nextInt(4));
      int partitionBytesMax = 100 + random.nextInt(600);
      this.planner = new CompactionPicker(
          level,
          new SettingsBuilder()
              .l0(random.nextInt(4), 1 + random.nextInt(4))
              .compactBytesMax(50 + random.nextInt(1_000))
              .partitionBytes(random.nextInt(partitionBytesMax / 4), partitionBytesMax)
              .runCountMax(1 + random.nextInt(4))
              .deadFractionMax(0.05 + random.nextDouble() * 0.9)
              .pinnedFractionMax(0.01 + random.nextDouble() * 0.9)
              .linkBytesMin(random.nextInt(120))
              .newRangeEntriesMin(1 + random.nextInt(6))
              .parallelism(1 + random.nextInt(4))
              .build());
    }

    void play(int steps) {
      for (int i = 0; i < steps; i++) {
        switch (random.nextInt(4)) {
          case 0 -> flush();
          case 1 -> finishOne();
          default -> startOne();
        }
        check();
      }
      settle();
    }

    private void flush() {
      int from = random.nextInt(KEYS);
      int width = 1 + (random.nextInt(3) == 0 ? KEYS : random.nextInt(30));
      TreeMap<Integer, Long> contents = new TreeMap<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        int key = Math.min(KEYS - 1, from + random.nextInt(width));
        contents.put(key, random.nextInt(4) == 0 ? - ++seqno : ++seqno);
      }
      level.flush(contents);
      newest.putAll(contents);
    }

    private void startOne() {
      planner.next(level.shape(), running).ifPresent(plan -> {
        if (plan instanceof Plan.Split || plan instanceof Plan.Merge) {
          level.install(plan);
        } else {
          running.add(plan);
        }
      });
    }

    private void finishOne() {
      if (!running.isEmpty()) {
        level.install(running.remove(random.nextInt(running.size())));
      }
    }

    /** Does all due work, which must end. */
    private void settle() {
      int steps = 0;
      while (true) {
        Optional<Plan> plan = planner.next(level.shape(), running);
        if (plan.isPresent()) {
          level.install(plan.get());
        } else if (!running.isEmpty()) {
          finishOne();
        } else {
          break;
        }
        assertThat(++steps).as("steps until nothing is due").isLessThan(2_000);
      }
      check();
    }

    private void check() {
      level.shape();
      for (int key = 0; key < KEYS; key++) {
        long expected = newest.getOrDefault(key, ModelRun.NOTHING);
        long found = level.find(key);
        boolean gone = expected < 0 && found == ModelRun.NOTHING;
        if (found != expected && !gone) {
          throw new AssertionError("key " + key + ": found " + found + ", newest " + expected);
        }
      }
    }
  }
}
