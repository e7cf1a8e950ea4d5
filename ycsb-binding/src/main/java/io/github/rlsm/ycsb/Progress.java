// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.PrintStream;

/**
 * Shows how far a phase has come.
 *
 * <p>Threads: one thread at a time.
 */
interface Progress extends AutoCloseable {

  /** How progress is shown. */
  enum Style {
    /** A bar that is drawn over and over, for a terminal. */
    BAR,
    /** A line every few seconds, for a file or a pipe. */
    LINES,
    /** Nothing. */
    OFF;

    /**
     * Begins to show a phase.
     *
     * @param phase the phase's name
     * @param total how many operations it has
     * @param out where to print
     */
    Progress start(String phase, long total, PrintStream out) {
      return switch (this) {
        case BAR -> new BarProgress(phase, total, out);
        case LINES -> new LineProgress(phase, total, out);
        case OFF -> new SilentProgress();
      };
    }
  }

  /** So many operations are done, at this rate in operations per second since the phase began. */
  void update(long done, double rate);

  @Override
  void close();

  /** Shows nothing. */
  record SilentProgress() implements Progress {
    @Override
    public void update(long done, double rate) {}

    @Override
    public void close() {}
  }
}
