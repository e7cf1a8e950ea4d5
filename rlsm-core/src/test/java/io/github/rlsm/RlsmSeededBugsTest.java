// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.rlsm.io.Fault;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the crash tests notice each omitted step for durability. */
class RlsmSeededBugsTest {

  private static final long POINTS_MAX = 5_000;

  @ParameterizedTest
  @EnumSource(value = ForgetfulDirectory.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void isCaught(ForgetfulDirectory.Bug bug) {
    assertThatExceptionOfType(AssertionError.class)
        .as("%s", bug)
        .isThrownBy(() -> crash(bug))
        .withMessageMatching(
            "(?s).*(none of states|CorruptionException|, but is lost|after the crash is lost"
                + "|acknowledged write is lost|after the reopening none"
                + "|the file already exists).*");
  }

  @Test
  void withoutABugNothingIsCaught() {
    assertThatNoException().isThrownBy(() -> crash(ForgetfulDirectory.Bug.NONE));
  }

  private static void crash(ForgetfulDirectory.Bug bug) {
    if (bug.isOfFailures()) {
      RlsmFaultTest.failCalls(
          Fault.FORCE_ERROR,
          Integer.MAX_VALUE,
          new SplittableRandom(0),
          directory -> new ForgetfulDirectory(directory, bug));
      return;
    }
    SplittableRandom seeds = new SplittableRandom(bug.ordinal());
    long points = 0;
    while (points < POINTS_MAX) {
      points += RlsmCrashTest.crash(
          seeds.nextLong(), directory -> new ForgetfulDirectory(directory, bug));
    }
  }
}
