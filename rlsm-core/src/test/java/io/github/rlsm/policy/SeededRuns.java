// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

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

  /** Runs the body for {@code count} fresh seeds, or for {@code -Drlsm.seed} alone if it is given. */
  static void run(int count, Body body) {
    String given = System.getProperty("rlsm.seed", "");
    if (!given.isEmpty()) {
      runOne(Long.parseLong(given), body);
      return;
    }
    SplittableRandom seeds = new SplittableRandom();
    for (int i = 0; i < count; i++) {
      runOne(seeds.nextLong(), body);
    }
  }

  private static void runOne(long seed, Body body) {
    try {
      body.run(new Random(seed));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("failed; replay with -Drlsm.seed=" + seed, e);
    }
  }
}
