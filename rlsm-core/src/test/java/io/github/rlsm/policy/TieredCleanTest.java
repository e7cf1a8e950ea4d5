// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Rewriting is logarithmic: one partition grows run by run, and each byte's rewrites are counted.
 */
class TieredCleanTest {

  private static final int RUNS_MAX = 12;
  private static final double RATIO = 2;
  private static final double GROWTH = 1 + 1 / RATIO;

  private final CleanPlanner planner = new CleanPlanner(
      new SettingsBuilder().runCountMax(RUNS_MAX).tierRatio(RATIO).build());

  /** A run: how often each of the runs that were appended and went into it has been rewritten. */
  private record Run(List<long[]> sizesAndRewrites) {
    long bytes() {
      return sizesAndRewrites.stream().mapToLong(part -> part[0]).sum();
    }

    RunShape shape(int id) {
      return new RunShape(id, IntKeys.span(0, 1_000), bytes(), bytes(), 0, id, id, 0, bytes());
    }
  }

  @Test
  void runsOfOneSize() {
    check("equal runs", 5_000, () -> 1);
  }

  @Test
  void runsOfRandomSizes() {
    SeededRuns.run(3, random -> check("random runs", 2_000, () -> 1 + random.nextInt(100)));
  }

  @Test
  void aLargeBaseIsRewrittenSeldom() {
    long base = 1_000;
    List<Run> runs = grow(1_000, () -> 1, new ArrayList<>(List.of(newRun(base))));
    long rewrites = runs.stream()
        .flatMap(run -> run.sizesAndRewrites().stream())
        .filter(part -> part[0] == base)
        .mapToLong(part -> part[1])
        .sum();
    assertThat(rewrites).as("while it doubles").isLessThanOrEqualTo(2);
  }

  private void check(String name, int appends, LongSupplier sizes) {
    List<Run> runs = grow(appends, sizes, new ArrayList<>());
    double total = runs.stream().mapToLong(Run::bytes).sum();
    double written = 0;
    for (Run run : runs) {
      for (long[] part : run.sizesAndRewrites()) {
        written += part[0] * part[1];
        double bound = Math.log(total / part[0]) / Math.log(GROWTH);
        assertThat((double) part[1]).as("rewrites of %d bytes", part[0]).isLessThanOrEqualTo(bound);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d appended, each byte rewritten %.2f times%n",
        name,
        appends,
        written / total);
  }

  private List<Run> grow(int appends, LongSupplier sizes, List<Run> runs) {
    for (int i = 0; i < appends; i++) {
      runs.add(newRun(sizes.getAsLong()));
      while (true) {
        List<RunShape> shapes = new ArrayList<>();
        runs.forEach(run -> shapes.add(run.shape(shapes.size())));
        var plan = planner.plan(new PartitionShape(IntKeys.span(0, 1_000), shapes));
        if (plan.isEmpty()) {
          break;
        }
        checkBalanced(plan.get());
        rewrite(runs.subList(plan.get().fromRun(), plan.get().toRun()));
      }
      assertThat(runs).hasSizeLessThanOrEqualTo(RUNS_MAX);
    }
    return runs;
  }

  private static void checkBalanced(CleanPlan plan) {
    List<Long> sizes = plan.runs().stream().map(RunShape::bytes).toList();
    long largest = Collections.max(sizes);
    assertThat((double) largest).isLessThanOrEqualTo(RATIO * (plan.rewrittenBytes() - largest));
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
