// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A few counters that threads count up together, without passing cache lines between their cores.
 *
 * <p>Each thread counts in one of {@value #STRIPES} stripes, and the counters of a stripe lie
 * together on cache lines of their own: who counts several things at the end of an operation finds
 * the line at hand. Nothing is lost when two threads share a stripe.
 *
 * <p>Threads: any. A sum taken while others count is not of one instant.
 */
public final class StripedCounters {

  /** How many stripes there are; a power of two. */
  private static final int STRIPES = 32;

  /** 128 bytes: a cache line, and the neighbour that the hardware fetches with it. */
  private static final int SPACING = 128 / Long.BYTES;

  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 2) * SPACING);

  /**
   * Counts up.
   *
   * @param counter which one, 0 to 15
   */
  public void add(int counter, long count) {
    int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
    counts.getAndAdd((stripe + 1) * SPACING + counter, count);
  }

  /** What a counter was counted up to. */
  public long sum(int counter) {
    long sum = 0;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      sum += counts.get(stripe * SPACING + counter);
    }
    return sum;
  }
}
