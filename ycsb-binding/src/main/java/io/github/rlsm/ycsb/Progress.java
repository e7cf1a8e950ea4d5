// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.PrintStream;

/**
 * Shows the progress of a phase.
 *
 * <p>Threads: one thread at a time.
 */
interface Progress extends AutoCloseable {

  /** The styles of progress. */
  enum Style {
    /** A bar that is redrawn, for a terminal. */
    BAR,
    /** A line every few seconds, for a file or a pipe. */
    LINES,
    /** No progress. */
    OFF;

    /**
     * Starts to show a phase.
     *
     * @param phase the phase's name
     * @param total number of operations in the phase
     * @param out output stream
     */
    Progress start(String phase, long total, PrintStream out) {
      return switch (this) {
        case BAR -> new BarProgress(phase, total, out);
        case LINES -> new LineProgress(phase, total, out);
        case OFF -> new SilentProgress();
      };
    }
  }

  /** Shows the completed operations, and the rate per second since the start of the phase. */
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
