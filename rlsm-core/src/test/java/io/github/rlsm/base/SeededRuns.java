// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import io.github.rlsm.kv.TestSeed;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;

/** Runs a randomised test with several seeds and names the failed seed. */
public final class SeededRuns {

  /** The body of a test for one seed. */
  @FunctionalInterface
  public interface Body {
    void run(Random random);
  }

  private SeededRuns() {}

  /** Runs the body for {@code count} fresh seeds, or only for the seed to replay. */
  public static void run(int count, Body body) {
    OptionalLong replay = TestSeed.toReplay();
    if (replay.isPresent()) {
      runOne(replay.getAsLong(), body);
      return;
    }
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    for (int i = 0; i < count; i++) {
      runOne(seeds.nextLong(), body);
    }
  }

  private static void runOne(long seed, Body body) {
    try {
      body.run(new Random(seed));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(TestSeed.howToReplay(seed), e);
    }
  }
}
