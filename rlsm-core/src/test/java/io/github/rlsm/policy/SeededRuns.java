// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.TestSeed;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;

/** Runs a randomised test on several seeds and names the seed that failed. */
final class SeededRuns {

  /** A test's body for one seed. */
  @FunctionalInterface
  interface Body {
    void run(Random random);
  }

  private SeededRuns() {}

  /** Runs the body for {@code count} fresh seeds, or for the one to replay alone. */
  static void run(int count, Body body) {
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
