// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.base.SeqnoRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Tests how often bytes are rewritten: one partition grows run by run, and the test counts the
 * rewrites of each byte. With k runs and w rewrites, no rule can hold more than binomial(k + w, w)
 * runs of one size.
 */
class TieredCleanTest {

  private static final int RUNS_MAX = 12;

  /** A run: the size and the number of rewrites of each appended run that it contains. */
  private record Run(List<long[]> sizesAndRewrites) {
    long bytes() {
      return sizesAndRewrites.stream().mapToLong(part -> part[0]).sum();
    }

    RunShape shape(int id) {
      return new RunShape(
          new RunShape.TableFile(id, bytes()),
          IntKeys.span(0, 1_000),
          bytes(),
          new RunShape.Counts(bytes(), 0, 0),
          new SeqnoRange(id, id),
          RunShape.Values.NONE);
    }
  }

  /** No byte is ever rewritten more often than the theoretical minimum. */
  @Test
  void runsOfOneSizeAreRewrittenOnlyAsOftenAsNecessary() {
    for (int runsMax : new int[] {1, 2, 3, 8, 12, 20}) {
      CleanPlanner planner = planner(runsMax);
      List<Run> runs = new ArrayList<>();
      for (int n = 1; n <= 3_000; n++) {
        append(planner, runsMax, runs, 1);
        long most = runs.stream()
            .flatMap(run -> run.sizesAndRewrites().stream())
            .mapToLong(part -> part[1])
            .max()
            .orElseThrow();
        assertThat(most)
            .as("%d runs, %d allowed", n, runsMax)
            .isLessThanOrEqualTo(must(n, runsMax));
      }
    }
  }

  /** Returns the least w with binomial(runsMax + w, w) at least n. */
  private static long must(long n, int runsMax) {
    long w = 0;
    for (double held = 1; held < n; held = held * (runsMax + w) / w) {
      w++;
    }
    return w;
  }

  /**
   * Irregular sizes cost no more than regular ones, on average. A single history may cost more: it
   * ends at a random point, and the worst point is right after a rewrite of all runs.
   */
  @Test
  void runsOfRandomSizesCostNoMoreOnAverage() {
    SeededRuns.run(1, random -> {
      double sum = 0;
      int histories = 40;
      for (int i = 0; i < histories; i++) {
        int runsMax = 2 + random.nextInt(12);
        int appends = 2_000;
        List<Run> runs = grow(runsMax, appends, () -> 1 + random.nextInt(100), new ArrayList<>());
        double share = rewrites(runs) / must(appends, runsMax);
        assertThat(share).as("%d runs allowed", runsMax).isLessThan(1.5);
        sum += share;
      }
      assertThat(sum / histories).isLessThanOrEqualTo(1);
    });
  }

  /** Returns the average number of rewrites of a byte. */
  private static double rewrites(List<Run> runs) {
    double total = runs.stream().mapToLong(Run::bytes).sum();
    double written = runs.stream()
        .flatMap(run -> run.sizesAndRewrites().stream())
        .mapToLong(part -> part[0] * part[1])
        .sum();
    return written / total;
  }

  @Test
  void aLargeBaseIsRewrittenSeldom() {
    long base = 1_000;
    List<Run> runs = grow(RUNS_MAX, 1_000, () -> 1, new ArrayList<>(List.of(newRun(base))));
    long rewrites = runs.stream()
        .flatMap(run -> run.sizesAndRewrites().stream())
        .filter(part -> part[0] == base)
        .mapToLong(part -> part[1])
        .sum();
    assertThat(rewrites).as("while the partition doubles").isLessThanOrEqualTo(2);
  }

  private static List<Run> grow(int runsMax, int appends, LongSupplier sizes, List<Run> runs) {
    CleanPlanner planner = planner(runsMax);
    for (int i = 0; i < appends; i++) {
      append(planner, runsMax, runs, sizes.getAsLong());
    }
    return runs;
  }

  private static CleanPlanner planner(int runsMax) {
    return new CleanPlanner(new SettingsBuilder().runCountMax(runsMax).build());
  }

  private static void append(CleanPlanner planner, int runsMax, List<Run> runs, long size) {
    runs.add(newRun(size));
    while (true) {
      List<RunShape> shapes = new ArrayList<>();
      runs.forEach(run -> shapes.add(run.shape(shapes.size())));
      var plan = planner.plan(new PartitionShape(IntKeys.span(0, 1_000), shapes));
      if (plan.isEmpty()) {
        break;
      }
      rewrite(runs.subList(plan.get().fromRun(), plan.get().toRun()));
    }
    assertThat(runs).hasSizeLessThanOrEqualTo(runsMax);
  }

  private static Run newRun(long size) {
    return new Run(List.of(new long[] {size, 0}));
  }

  private static void rewrite(List<Run> runs) {
    List<long[]> parts = new ArrayList<>();
    for (Run run : runs) {
      run.sizesAndRewrites().forEach(part -> parts.add(new long[] {part[0], part[1] + 1}));
    }
    runs.clear();
    runs.add(new Run(parts));
  }
}
