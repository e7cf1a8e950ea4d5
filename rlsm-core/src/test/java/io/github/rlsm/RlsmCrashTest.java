// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.TestSeed;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Crashes of random histories under many sets of options, at their I/O events and between them, in
 * every style.
 *
 * <p>The system property {@code rlsm.crash.points} says how many crashes are checked,
 * {@value #POINTS} unless it is set. A failure names the seed of its history; with
 * {@code -Drlsm.seed} that history alone is run, and crashed in the same way.
 */
class RlsmCrashTest {

  private static final long POINTS = 20_000;
  private static final int STEPS_MAX = 60;

  private static final Sampler SOME = new Sampler() {
    @Override
    public List<CrashStyle> styles(SplittableRandom random) {
      return random.nextInt(3) > 0
          ? List.of()
          : List.of(CrashStyle.values()[random.nextInt(CrashStyle.values().length)]);
    }

    @Override
    public boolean kills(SplittableRandom random) {
      return random.nextInt(12) == 0;
    }
  };

  @Test
  void survivesCrashes() {
    OptionalLong replay = TestSeed.toReplay();
    if (replay.isPresent()) {
      assertThat(crash(replay.getAsLong())).isPositive();
      return;
    }
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    long goal = Long.getLong("rlsm.crash.points", POINTS);
    long points = 0;
    long histories = 0;
    while (points < goal) {
      points += crash(seeds.nextLong());
      histories++;
    }
    assertThat(histories).isPositive();
  }

  /** Runs the history of a seed. Returns how many crashes were checked. */
  private static long crash(long seed) {
    return crash(seed, UnaryOperator.identity());
  }

  /** As {@link #crash(long)}, over directories that are changed somehow. */
  static long crash(long seed, UnaryOperator<StoreDirectory> wrap) {
    SplittableRandom random = new SplittableRandom(seed);
    TinyOptions options = TinyOptions.values()[random.nextInt(TinyOptions.values().length)];
    List<CrashStep> steps = CrashStep.random(random, 1 + random.nextInt(STEPS_MAX));
    SimulatedDirectory directory = options.directory();
    directory.holeBytes(random.nextBoolean() ? 16 : 4096);
    String name = options + ", " + TestSeed.howToReplay(seed);
    try {
      return new CrashRun(directory, options.options(), wrap, SOME, random.nextLong(), name)
          .run(steps);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(name + ": " + e + "\n" + steps, e);
    }
  }
}
