// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.proof.Proof;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * T1 of the test plan: crashes of random histories under many sets of options, in every style. A
 * history is crashed at its I/O events, between its steps, and between the stores of a write.
 *
 * <p>The system property {@code rlsm.t1.points} sets the number of crashes, {@value #POINTS} by
 * default. Another {@code rlsm.seed} gives other histories, so that a large count can be run in
 * chunks. A failure names its history. The system property {@code rlsm.t1.history} runs this
 * history alone with the same crashes.
 *
 * <p>Guards invariants I-2 and I-5 of ARCHITECTURE.md.
 */
class RlsmCrashTest {

  private static final int POINTS = 20_000;
  private static final int STEPS_MAX = 60;
  private static final String HISTORY = "rlsm.t1.history";

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

    @Override
    public boolean tears(SplittableRandom random) {
      return random.nextInt(4) == 0;
    }
  };

  @Test
  void survivesCrashes() {
    Long history = Long.getLong(HISTORY);
    if (history != null) {
      assertThat(crash(history)).isPositive();
      return;
    }
    SplittableRandom seeds = new SplittableRandom(Proof.seed("T1"));
    int goal = Proof.count("t1.points", POINTS);
    long points = 0;
    while (points < goal) {
      points += crash(seeds.nextLong());
    }
    Proof.ran("T1", "crash points", points);
  }

  /** Runs the history of a seed. Returns the number of checked crashes. */
  private static long crash(long seed) {
    return crash(seed, UnaryOperator.identity());
  }

  /** As {@link #crash(long)}, over decorated directories. */
  static long crash(long seed, UnaryOperator<StoreDirectory> wrap) {
    SplittableRandom random = new SplittableRandom(seed);
    TinyOptions options = TinyOptions.values()[random.nextInt(TinyOptions.values().length)];
    List<CrashStep> steps = CrashStep.random(random, 1 + random.nextInt(STEPS_MAX));
    SimulatedDirectory directory = options.directory();
    directory.holeBytes(random.nextBoolean() ? 16 : 4096);
    // In every second store, values do not fit in memory, so flushes sort them.
    directory.memoryBytes((seed & 1) == 0 ? 0 : Long.MAX_VALUE);
    String name = options + ", replay this history with -D" + HISTORY + "=" + seed;
    try {
      long crashes = random.nextLong();
      return SingleThread.run(
          () -> new CrashRun(directory, options.options(), wrap, SOME, crashes, name).run(steps));
    } catch (RuntimeException | Error e) {
      throw new AssertionError(name + ": " + e + "\n" + steps, e);
    }
  }
}
