// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.proof.Proof;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The figures of a chain of crashes. Threads: one. */
final class CrashStatistics {

  /** The goal of the test plan for an open after a crash. */
  private static final double GOAL_MILLIS = 1_000;

  /** The unit that the full run counts: every kind of death, each followed by a check. */
  private static final String DEATHS = "processes killed, and their stores checked";

  int crashes;
  long acknowledgements;

  /** Crashes after which bytes that were never forced were discarded. */
  int losses;

  /** Crashes after which a store that did not read the ring would have lost promised writes. */
  int ringsNeeded;

  private final List<Double> openMillis = new ArrayList<>();

  void opened(long nanos) {
    openMillis.add(nanos / 1e6);
  }

  /** Prints the figures, and reports them to the full run. */
  void report(String what) {
    List<Double> sorted = new ArrayList<>(openMillis);
    Collections.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%s: %d kills, %d acknowledged, open: median %.1f ms, max %.1f ms, goal %.0f ms%n",
        what,
        crashes,
        acknowledgements,
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() - 1),
        GOAL_MILLIS);
    Proof.ran("T7", what, crashes);
    Proof.ran("T7", DEATHS, crashes);
    Proof.ran(
        "T7",
        "opens after a kill slower than the goal",
        sorted.stream().filter(millis -> millis > GOAL_MILLIS).count());
    if (losses > 0) {
      Proof.ran("T7", "kills with unforced bytes discarded", losses);
    }
    if (ringsNeeded > 0) {
      Proof.ran("T7", "recoveries that needed the ring", ringsNeeded);
    }
  }
}
