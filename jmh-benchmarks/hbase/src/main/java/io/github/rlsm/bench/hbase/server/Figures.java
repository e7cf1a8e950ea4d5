// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.gauge.MemoryPeak;
import java.util.Map;

/**
 * What a server has counted since it started. Figures it does not have are -1.
 *
 * @param bytesWritten bytes the process wrote to storage
 * @param flushedBytes bytes of files that flushes wrote, by HBase's account
 * @param compactedBytes bytes of files that compactions wrote, by HBase's account
 * @param engine what the store engine counts by itself; empty for HBase's own
 * @param memory most memory in use since the last figures
 */
public record Figures(
    long bytesWritten,
    long flushedBytes,
    long compactedBytes,
    Map<String, Long> engine,
    MemoryPeak memory) {

  /** Takes a copy. */
  public Figures {
    engine = Map.copyOf(engine);
  }
}
