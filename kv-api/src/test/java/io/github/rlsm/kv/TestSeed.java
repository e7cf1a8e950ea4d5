// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.security.SecureRandom;
import java.util.OptionalLong;

/** The seed of randomised tests: a fresh one, or the system property {@code rlsm.seed}. */
public final class TestSeed {

  private static final String PROPERTY = "rlsm.seed";

  private TestSeed() {}

  /** Returns the seed to replay, if one is set. */
  public static OptionalLong toReplay() {
    String text = System.getProperty(PROPERTY, "");
    return text.isBlank() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.trim()));
  }

  /** Returns the seed to replay, else a fresh one. */
  public static long get() {
    return toReplay().orElseGet(() -> new SecureRandom().nextLong());
  }

  /** Returns the instruction for a failure message: how to replay a test with this seed. */
  public static String howToReplay(long seed) {
    return "seed " + seed + "; replay this test with -D" + PROPERTY + "=" + seed;
  }
}
