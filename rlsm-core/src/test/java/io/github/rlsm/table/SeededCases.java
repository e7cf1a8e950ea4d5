// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.kv.TestSeed;
import java.util.Random;

/** Runs a randomised test with many seeds, or with the seed to replay. */
final class SeededCases {

  private SeededCases() {}

  /** A test that makes all its decisions with the given random numbers. */
  interface Case {
    void run(Random random);
  }

  static void run(int count, Case test) {
    int runs = TestSeed.toReplay().isPresent() ? 1 : count;
    for (int i = 0; i < runs; i++) {
      long seed = TestSeed.get();
      try {
        test.run(new Random(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(TestSeed.howToReplay(seed) + ": " + e, e);
      }
    }
  }
}
