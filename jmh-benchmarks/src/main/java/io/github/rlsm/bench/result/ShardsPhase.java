// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The measurements of one phase of a comparison of shards.
 *
 * @param work the kind of work
 * @param threads client threads
 * @param async whether clients had several calls in flight instead of waiting for each call
 * @param calls the calls and their time
 * @param each the cost of each call
 * @param batches the sizes of batches
 */
public record ShardsPhase(
    String work,
    int threads,
    boolean async,
    @JsonUnwrapped Calls calls,
    @JsonUnwrapped Cost each,
    @JsonUnwrapped Batches batches) {

  /**
   * The calls of a phase.
   *
   * @param operations completed calls
   * @param seconds duration
   */
  public record Calls(long operations, double seconds) {}

  /**
   * The cost of one call.
   *
   * @param p50Micros median latency of a synchronous call; 0 if there was no such call
   * @param p99Micros 99th percentile of the same latency
   * @param cpuMicros processor time of the process per call
   * @param switches voluntary context switches of the process per call; -1 if unknown
   */
  public record Cost(double p50Micros, double p99Micros, double cpuMicros, double switches) {}

  /**
   * The mean sizes of the batches that workers served.
   *
   * @param writeBatch mean number of puts served as one batch; 0 without shards
   * @param readBatch mean number of gets served as one batch
   */
  public record Batches(double writeBatch, double readBatch) {}

  /** Calls per second. */
  public double perSecond() {
    return calls.operations() / calls.seconds();
  }
}
