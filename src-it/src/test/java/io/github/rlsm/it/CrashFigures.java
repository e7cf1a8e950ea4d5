// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.util.Locale;

/** What a chain of crashes amounted to. Threads: one. */
final class CrashFigures {

  long crashes;
  long acknowledgements;
  private long opens;
  private long openNanos;
  private long openNanosMax;

  void opened(long nanos) {
    opens++;
    openNanos += nanos;
    openNanosMax = Math.max(openNanosMax, nanos);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d crashes, %d operations acknowledged, opened in %.1f ms on average, %.1f ms at most",
        crashes,
        acknowledgements,
        openNanos / 1e6 / Math.max(1, opens),
        openNanosMax / 1e6);
  }
}
