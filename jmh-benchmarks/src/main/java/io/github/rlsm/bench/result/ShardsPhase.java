// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

/**
 * The measurements of one phase of a comparison of shards.
 *
 * @param work the kind of work
 * @param threads client threads
 * @param async whether clients had several calls in flight instead of waiting for each call
 * @param operations completed calls
 * @param seconds duration
 * @param p50Micros median latency of a synchronous call; 0 if there was no such call
 * @param p99Micros 99th percentile of the same latency
 * @param cpuMicros processor time of the process per call
 * @param switches voluntary context switches of the process per call; -1 if unknown
 * @param writeBatch mean number of puts served as one batch; 0 without shards
 * @param readBatch mean number of gets served as one batch
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

  /** Calls per second. */
  public double perSecond() {
    return operations / seconds;
  }
}
