// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.hbase.server.ServerCounters;
import io.github.rlsm.bench.result.Latency;

/**
 * The measurements of one phase.
 *
 * @param name the name of the phase
 * @param calls the calls and their time
 * @param latency the latency of calls: of a batch of puts, a get, or a scan
 * @param use the resources that the server used
 */
public record HBasePhase(String name, @JsonUnwrapped Calls calls, Latency latency, Use use) {

  /**
   * The calls of a phase.
   *
   * @param operations rows put, rows looked up, or scans
   * @param bytesPut bytes of keys and values
   * @param seconds the time until the last call returned
   * @param settledSeconds the time until compactions were at rest as well
   * @param errors rows that were missing, wrong or out of order
   * @param processor the processor time of the server, until compactions were at rest; zeros in
   *     results without it
   */
  public record Calls(
      long operations,
      long bytesPut,
      double seconds,
      double settledSeconds,
      long errors,
      @JsonUnwrapped ServerCounters.Processor processor) {}

  /**
   * The resources that the server used.
   *
   * @param written the bytes that the server wrote
   * @param blocks the blocks of data that reads used
   * @param files the table's files at the end
   * @param depth the number of files over one row at the end, as the engine reports to HBase
   * @param memory the peak memory use
   * @param pauses the pauses of the garbage collector
   */
  public record Use(
      @JsonUnwrapped Written written,
      ServerCounters.Blocks blocks,
      long files,
      long depth,
      MemoryPeak memory,
      GcLog.Pauses pauses) {}

  /**
   * The bytes that the server wrote.
   *
   * @param bytesWritten bytes that the process wrote to storage
   * @param flushedBytes bytes written by flushes
   * @param compactedBytes bytes written by compactions
   */
  public record Written(long bytesWritten, long flushedBytes, long compactedBytes) {}

  /** Operations per second. */
  @JsonIgnore
  public double throughput() {
    return calls.operations() / calls.seconds();
  }

  /** Operations per second up to the time when compactions were at rest. */
  @JsonIgnore
  public double settledThroughput() {
    return calls.operations() / calls.settledSeconds();
  }

  /** Bytes written to storage per byte of keys and values put. */
  @JsonIgnore
  public double writeAmplification() {
    return (double) use.written().bytesWritten() / calls.bytesPut();
  }
}
