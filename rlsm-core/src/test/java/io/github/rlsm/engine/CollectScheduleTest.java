// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Deleted keys never come back, and no write is lost, while collections run concurrently with any
 * other work.
 *
 * <p>The system property {@code rlsm.collect.schedules} sets the number of schedules,
 * {@value #SCHEDULES} by default. The property {@code rlsm.collect.steps} sets the number of steps
 * of each, and {@code rlsm.collect.seed} the first seed.
 *
 * <p>Guards invariant I-8 of ARCHITECTURE.md.
 */
class CollectScheduleTest {

  private static final int SCHEDULES = 400;
  private static final int STEPS = 400;
  private static final int SCHEDULES_TO_A_BUG = 2_000;

  @Test
  void collectionResurrectsNothingAndLosesNothing() {
    int schedules = Integer.getInteger("rlsm.collect.schedules", SCHEDULES);
    SplittableRandom seeds = new SplittableRandom(Long.getLong("rlsm.collect.seed", 1));
    int steps = Integer.getInteger("rlsm.collect.steps", STEPS);
    long freed = 0;
    for (int i = 0; i < schedules; i++) {
      freed += run(seeds.nextLong(), CollectRun.Bug.NONE, steps);
    }
    assertThat(freed).as("segments freed").isGreaterThan((long) schedules * steps / STEPS);
  }

  @ParameterizedTest
  @EnumSource(value = CollectRun.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aBrokenRuleIsNoticed(CollectRun.Bug bug) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> {
          SplittableRandom seeds = new SplittableRandom(bug.ordinal());
          for (int i = 0; i < SCHEDULES_TO_A_BUG; i++) {
            run(seeds.nextLong(), bug, STEPS);
          }
        })
        .withMessageMatching("(?s).*(" + bug.symptom() + ").*");
  }

  private static long run(long seed, CollectRun.Bug bug, int steps) {
    try {
      return new CollectRun(seed, bug).run(steps);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(bug + ", seed " + seed + ": " + e, e);
    }
  }
}
