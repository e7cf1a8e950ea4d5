// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Crash tests of a {@link ToyLog}: the correct toy passes at every crash point, and each bug is
 * caught.
 */
class ToyLogCrashTest {

  private static final int ADDS = 4;
  private static final int SEEDS = 8;

  /** Reports a crash after which the toy was wrong. */
  private static final class Caught extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Caught(String message) {
      super(message);
    }
  }

  private final Set<ToyLog.Bug> bugs = EnumSet.noneOf(ToyLog.Bug.class);
  private long acknowledged;
  private long begun;
  private int crashes;

  @Test
  void rightToyPasses() {
    visitAllCrashes();
    assertThat(crashes).isGreaterThan(1000);
  }

  @ParameterizedTest
  @EnumSource(ToyLog.Bug.class)
  void wrongToyIsCaught(ToyLog.Bug bug) {
    bugs.add(bug);
    try {
      visitAllCrashes();
    } catch (Caught e) {
      return;
    }
    fail(bug + " was not caught in " + crashes + " crashes");
  }

  /** Runs the workload once, and crashes before and after each of its calls. */
  private void visitAllCrashes() {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.onEvent(event -> {
      if (event.kind().changesState()) {
        visitCrashes(directory, event);
      }
    });
    for (int run = 0; run < 2; run++) {
      try (ToyLog toy = new ToyLog(directory, bugs)) {
        for (int i = 0; i < ADDS; i++) {
          begun = toy.count() + 1;
          toy.add();
          acknowledged = toy.count();
        }
      }
    }
  }

  private void visitCrashes(SimulatedDirectory directory, IoEvent event) {
    for (CrashStyle style : CrashStyle.values()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        String where = event + ", " + style + ", seed " + seed;
        recoverTwice(directory.afterCrash(style, seed), style, seed, where);
      }
    }
  }

  /** Recovers. If the power fails again during a call of the recovery, recovers from that, too. */
  private void recoverTwice(
      SimulatedDirectory survivor, CrashStyle style, long seed, String where) {
    List<SimulatedDirectory> second = new ArrayList<>();
    survivor.onEvent(event -> {
      if (event.kind().changesState() && event.index() % SEEDS == seed) {
        second.add(survivor.afterCrash(style, seed));
      }
    });
    recover(survivor, begun, where);
    for (SimulatedDirectory survivorOfBoth : second) {
      recover(survivorOfBoth, begun + 1, where + ", and again");
    }
  }

  /** Opens, checks, adds one number and checks again. */
  private void recover(SimulatedDirectory survivor, long countMax, String where) {
    crashes++;
    try (ToyLog toy = new ToyLog(survivor, bugs)) {
      boolean right = toy.count() >= acknowledged && toy.count() <= countMax && toy.isRight();
      if (right) {
        toy.add();
        right = toy.isRight();
      }
      if (!right) {
        throw new Caught(where + ": " + toy.count() + " where " + acknowledged + " to " + countMax
            + " is right");
      }
    }
  }
}
