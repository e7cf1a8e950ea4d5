// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Shows progress as lines of text: one every few seconds, and one at the end.
 *
 * <p>Threads: one thread at a time.
 */
final class LineProgress implements Progress {

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final String phase;
  private final long total;
  private final PrintStream out;
  private long lastLine = System.nanoTime();
  private long done;
  private double rate;

  LineProgress(String phase, long total, PrintStream out) {
    this.phase = phase;
    this.total = total;
    this.out = out;
  }

  @Override
  public void update(long done, double rate) {
    this.done = done;
    this.rate = rate;
    long now = System.nanoTime();
    if (now - lastLine >= INTERVAL_NANOS) {
      lastLine = now;
      print();
    }
  }

  @Override
  public void close() {
    print();
  }

  private void print() {
    out.printf(
        Locale.ROOT,
        "%s: %,d of %,d (%d %%), %,.0f/s%n",
        phase,
        done,
        total,
        100 * done / Math.max(total, 1),
        rate);
  }
}
