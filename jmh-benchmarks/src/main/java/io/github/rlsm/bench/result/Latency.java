// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import org.HdrHistogram.Histogram;

/**
 * The latency of one kind of call, in microseconds, as each client saw it. A client makes its next
 * call only when the previous call has returned.
 *
 * @param count number of calls
 * @param mean mean
 * @param p50 median
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param max longest
 */
public record Latency(long count, double mean, double p50, double p99, double p999, double max) {

  private static final double NANOS_PER_MICRO = 1_000;

  /** Summarizes a histogram of nanoseconds. */
  public static Latency of(Histogram nanos) {
    return new Latency(
        nanos.getTotalCount(),
        nanos.getMean() / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO);
  }
}
