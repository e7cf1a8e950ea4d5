// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows progress as a bar in one line of a terminal.
 *
 * <p>Threads: one thread at a time.
 */
final class BarProgress implements Progress {

  /** The terminal's width. The launcher script sets it, since the library would load JNI code. */
  private static final String COLUMNS = "rlsm.ycsb.columns";

  private static final int DEFAULT_COLUMNS = 80;
  private static final int REDRAW_MILLIS = 250;

  private final ProgressBar bar;

  BarProgress(String phase, long total, PrintStream out) {
    int columns = Integer.getInteger(COLUMNS, DEFAULT_COLUMNS) - 1;
    bar = new ProgressBarBuilder()
        .setTaskName(phase)
        .setInitialMax(total)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setStyle(ProgressBarStyle.ASCII)
        .setConsumer(new ConsoleProgressBarConsumer(out, columns))
        .build();
  }

  @Override
  public void update(long done, double rate) {
    bar.stepTo(done);
    bar.setExtraMessage(String.format(Locale.ROOT, " %,.0f/s", rate));
  }

  @Override
  public void close() {
    bar.close();
  }
}
