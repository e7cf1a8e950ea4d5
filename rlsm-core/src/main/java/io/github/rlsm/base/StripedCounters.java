// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A small set of counters that many threads increment without contending for cache lines.
 *
 * <p>Each thread increments one of {@value #STRIPES} stripes. The counters of a stripe share cache
 * lines that no other stripe uses. So an operation that increments several counters at its end
 * touches only one stripe. No increment is lost when two threads share a stripe.
 *
 * <p>Threads: any. A sum taken during increments is not a snapshot of one instant.
 */
public final class StripedCounters {

  /** The number of stripes, a power of two. */
  private static final int STRIPES = 32;

  /** 128 bytes: a cache line and the adjacent line that the hardware prefetches. */
  private static final int SPACING = 128 / Long.BYTES;

  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 2) * SPACING);

  /**
   * Adds to a counter.
   *
   * @param counter the counter's index, 0 to 15
   */
  public void add(int counter, long count) {
    int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
    counts.getAndAdd((stripe + 1) * SPACING + counter, count);
  }

  /** Returns the value of a counter. */
  public long sum(int counter) {
    long sum = 0;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      sum += counts.get(stripe * SPACING + counter);
    }
    return sum;
  }
}
