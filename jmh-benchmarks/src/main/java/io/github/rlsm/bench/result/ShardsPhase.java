// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

/**
 * What one phase of a comparison of shards has shown.
 *
 * @param work what was done
 * @param threads clients
 * @param async whether they waited for the end of each call, or had several under way
 * @param operations calls that ended
 * @param seconds how long it took
 * @param p50Micros median of a call that is waited for; 0 if none is
 * @param p99Micros its 99th percentile
 * @param cpuMicros processor time of the process for each call
 * @param switches how often a thread of the process gave up its core, for each call; -1 if unknown
 * @param writeBatch puts that were served as one, on average; 0 without shards
 * @param readBatch gets that were served as one, on average
 */
public record ShardsPhase(
    String work,
    int threads,
    boolean async,
    long operations,
    double seconds,
    double p50Micros,
    double p99Micros,
    double cpuMicros,
    double switches,
    double writeBatch,
    double readBatch) {

  /** Calls in a second. */
  public double perSecond() {
    return operations / seconds;
  }
}
