// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

/**
 * A sum of times that scans of all threads add to, on a cache line of its own. Otherwise each scan
 * would take the line of the references beside it from the other threads.
 *
 * <p>Threads: any. The sum is racy: a lost addend does no harm, but a fence at each scan would.
 */
final class ScanTime {

  /** 128 bytes: a cache line, and the adjacent line that the hardware prefetches with it. */
  private static final int SPACING = 128 / Long.BYTES;

  private final long[] cells = new long[2 * SPACING];

  void add(long nanos) {
    cells[SPACING] += nanos;
  }

  long nanos() {
    return cells[SPACING];
  }

  void reset() {
    cells[SPACING] = 0;
  }
}
