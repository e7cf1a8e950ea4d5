// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.gauge.MemoryPeak;
import java.util.Map;

/**
 * The counters of a server since its start. A figure that the server does not have is -1.
 *
 * @param bytesWritten bytes that the process wrote to storage
 * @param flushedBytes bytes of files that flushes wrote, as HBase counts them
 * @param compactedBytes bytes of files that compactions wrote, as HBase counts them
 * @param blocks the blocks of data that reads used
 * @param engine the store engine's own counters; empty for HBase's engines
 * @param memory the peak memory use since the last figures
 */
public record ServerCounters(
    long bytesWritten,
    long flushedBytes,
    long compactedBytes,
    Blocks blocks,
    Map<String, Long> engine,
    MemoryPeak memory) {

  /**
   * The blocks of data that gets, scans and compactions used, as HBase's block cache counts them.
   *
   * @param cached blocks that were in the cache
   * @param read blocks that were read from files
   * @param values separated values that were read without the block around them
   */
  public record Blocks(long cached, long read, long values) {}

  /** These counters, with bytes that another process wrote for the server. */
  public ServerCounters plusWritten(long bytes) {
    return new ServerCounters(
        bytesWritten + bytes, flushedBytes, compactedBytes, blocks, engine, memory);
  }

  /** Copies the engine's counters. */
  public ServerCounters {
    engine = Map.copyOf(engine);
  }
}
