// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.result.Latency;

/**
 * What was measured in one phase.
 *
 * @param name of the phase
 * @param operations rows put, rows looked up, or scans
 * @param bytesPut of keys and values
 * @param seconds until the last one had returned
 * @param settledSeconds until compactions had come to rest, too
 * @param errors rows that were missing, wrong or out of order
 * @param latency of calls: of a batch of puts, a get, a scan
 * @param use what the server took for it
 */
public record HBasePhase(
    String name,
    long operations,
    long bytesPut,
    double seconds,
    double settledSeconds,
    long errors,
    Latency latency,
    Use use) {

  /**
   * What the server took.
   *
   * @param bytesWritten bytes the process wrote to storage
   * @param flushedBytes of these, by flushes
   * @param compactedBytes of these, by compactions
   * @param files the table's files at the end
   * @param depth files a row may be in at the end, as the engine tells HBase
   * @param memory most memory in use
   * @param pauses of the garbage collector
   */
  public record Use(
      long bytesWritten,
      long flushedBytes,
      long compactedBytes,
      long files,
      long depth,
      MemoryPeak memory,
      GcLog.Pauses pauses) {}

  /** Operations per second. */
  @JsonIgnore
  public double throughput() {
    return operations / seconds;
  }

  /** Operations per second of the time until settled. */
  @JsonIgnore
  public double settledThroughput() {
    return operations / settledSeconds;
  }

  /** Bytes written to storage for each byte of keys and values put. */
  @JsonIgnore
  public double writeAmplification() {
    return (double) use.bytesWritten() / bytesPut;
  }
}
