// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Runs a randomised test with fresh seeds, or with the one in the system property
 * {@code rlsm.seed}; a failure says which seed it was.
 */
final class SeededCases {

  private SeededCases() {}

  /** A test that takes all its decisions from the random numbers it is given. */
  interface Case {
    void run(Random random);
  }

  static void run(int count, Case test) {
    String replayed = System.getProperty("rlsm.seed", "");
    int runs = replayed.isBlank() ? count : 1;
    for (int i = 0; i < runs; i++) {
      long seed = replayed.isBlank() ? new SecureRandom().nextLong() : Long.parseLong(replayed);
      try {
        test.run(new Random(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("failed with -Drlsm.seed=" + seed + ": " + e, e);
      }
    }
  }
}
