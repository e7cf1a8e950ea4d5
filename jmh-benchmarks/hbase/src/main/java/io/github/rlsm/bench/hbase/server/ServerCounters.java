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
 * @param engine the store engine's own counters; empty for HBase's engines
 * @param memory the peak memory use since the last figures
 */
public record ServerCounters(
    long bytesWritten,
    long flushedBytes,
    long compactedBytes,
    Map<String, Long> engine,
    MemoryPeak memory) {

  /** Copies the engine's counters. */
  public ServerCounters {
    engine = Map.copyOf(engine);
  }
}
