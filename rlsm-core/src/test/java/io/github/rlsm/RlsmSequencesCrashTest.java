// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.CrashStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Every sequence of up to {@value #LENGTH} steps, crashed before and after each of its I/O events
 * in one style each.
 *
 * <p>The system property {@code rlsm.crash.sequences} sets another length.
 */
class RlsmSequencesCrashTest {

  private static final int LENGTH = 2;

  private static final Sampler EVERYWHERE = new Sampler() {
    @Override
    public List<CrashStyle> styles(SplittableRandom random) {
      return List.of(CrashStyle.values()[random.nextInt(CrashStyle.values().length)]);
    }

    @Override
    public boolean kills(SplittableRandom random) {
      return random.nextInt(8) == 0;
    }
  };

  @Test
  void everySequenceSurvivesEveryCrash() {
    int length = Integer.getInteger("rlsm.crash.sequences", LENGTH);
    assertThat(extend(List.of(), length)).isGreaterThan(5_000);
  }

  private static long extend(List<CrashStep> steps, int length) {
    if (steps.size() == length) {
      return 0;
    }
    long points = 0;
    for (CrashStep.Kind kind : CrashStep.Kind.values()) {
      List<CrashStep> longer = new ArrayList<>(steps);
      longer.add(new CrashStep(kind, 1 + steps.size()));
      // What comes before the last step was crashed with the sequences that end there.
      points += crash(longer);
      points += extend(longer, length);
    }
    return points;
  }

  private static long crash(List<CrashStep> steps) {
    TinyOptions options =
        TinyOptions.values()[Math.floorMod(steps.hashCode(), TinyOptions.values().length)];
    String name = options + ", " + steps;
    return new CrashRun(
            options.directory(),
            options.options(),
            UnaryOperator.identity(),
            new LastStep(steps.size()),
            steps.hashCode(),
            name)
        .run(steps);
  }

  /** Crashes everywhere, but for what shorter sequences have crashed, too, only here and there. */
  private record LastStep(int steps) implements Sampler {

    @Override
    public List<CrashStyle> styles(SplittableRandom random) {
      return steps > 1 && random.nextInt(4) > 0 ? List.of() : EVERYWHERE.styles(random);
    }

    @Override
    public boolean kills(SplittableRandom random) {
      return EVERYWHERE.kills(random);
    }
  }
}
