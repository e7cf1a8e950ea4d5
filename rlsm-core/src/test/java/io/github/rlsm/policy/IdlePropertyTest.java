// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Without new data, all due work is done and ends, for any levels and for any small limits.
 *
 * <p><b>The bound.</b> Let E be the number of entries of both levels, including shadowed ones. Runs
 * and partitions have at least one entry each, so there are at most E of either. A compaction takes
 * a run out of L0, and no run ever returns: at most E.
 *
 * <p>Where sizes add up, neither a clean nor a merge makes a partition that is over the limit. So
 * only the parts of a partition that was over the limit at the start are split: at most E times. A
 * merge removes one partition, either from the start or from a split: at most 2 E. A clean leaves
 * fewer runs, or replaces one run by a whole table without garbage. Runs come from L0 and from
 * splits: at most 2 E. Together 6 E.
 *
 * <p>A file is more than its entries, and then sizes do not add up: rewriting a slice alone makes a
 * partition larger. No rule prevents a chain of such a rewrite, a split, a merge and a clean. So
 * the tables in this test have whole pages and a fixed part of up to several times the limit. No
 * useful setting has such tables, and the bound must hold all the same.
 */
class IdlePropertyTest {

  private static final int KEYS = 300;
  private static final int ROUNDS = 6;

  @Test
  void idlePlanningReachesAStateWithoutDueWork() {
    SeededRuns.run(1_500, random -> new Levels(random).play());
  }

  /** The levels of one shard under random tiny limits. */
  private static final class Levels {

    private final Random random;
    private final PolicySettings settings;
    private final ModelSizes sizes;
    private final ModelLevel level;
    private long seqno;

    Levels(Random random) {
      this.random = random;
      this.sizes =
          new ModelSizes(1 + random.nextInt(200), 1 << random.nextInt(10), random.nextInt(1_000));
      this.level = new ModelLevel(sizes, 1 + random.nextInt(8));
      long partitionBytesMax = 64L << random.nextInt(7);
      this.settings = new SettingsBuilder()
          .l0(random.nextInt(4), 1 + random.nextInt(4))
          .compactBytesMax(50 + random.nextInt(10_000))
          .partitionBytes((long) (random.nextDouble() * partitionBytesMax / 4), partitionBytesMax)
          .runCountMax(1 + random.nextInt(4))
          .deadFractionMax(0.01 + random.nextDouble() * 0.9)
          .pinnedFractionMax(0.01 + random.nextDouble() * 0.9)
          .linkBytesMin(random.nextInt(1_200))
          .newRangeEntriesMin(1 + random.nextInt(6))
          .parallelism(1)
          .build();
    }

    void play() {
      for (int i = 0; i < ROUNDS; i++) {
        for (int flushes = random.nextInt(6); flushes > 0; flushes--) {
          flush();
        }
        settle();
      }
    }

    private void flush() {
      int from = random.nextInt(KEYS);
      int width = 1 + (random.nextInt(3) == 0 ? KEYS : random.nextInt(30));
      TreeMap<Integer, Long> contents = new TreeMap<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        int key = Math.min(KEYS - 1, from + random.nextInt(width));
        contents.put(key, random.nextInt(4) == 0 ? - ++seqno : ++seqno);
      }
      level.flush(contents);
    }

    private void settle() {
      long bound = 6 * entries(level.shape());
      List<String> steps = new ArrayList<>();
      CompactionPicker planner = new CompactionPicker(level, settings);
      for (Optional<Plan> plan = planner.next(level.shape(), List.of());
          plan.isPresent();
          plan = planner.next(level.shape(), List.of())) {
        level.install(plan.get());
        steps.add(plan.get().getClass().getSimpleName());
        assertThat((long) steps.size())
            .as(() -> "steps with " + settings + ", " + sizes + ", last steps " + last(steps))
            .isLessThanOrEqualTo(bound);
      }
    }

    private static long entries(LevelShape shape) {
      return Stream.concat(
              shape.l0().stream(), shape.l1().stream().flatMap(each -> each.runs().stream()))
          .mapToLong(RunShape::entries)
          .sum();
    }

    private static List<String> last(List<String> steps) {
      return steps.subList(Math.max(0, steps.size() - 20), steps.size());
    }
  }
}
