// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.ScanOptions;

/**
 * The limits of queues, batches and scans.
 *
 * @param queueCapacity requests that may wait for one shard; further callers block
 * @param batchMax most adjacent requests served as one; 1 for no batching
 * @param batchBytesMax bytes of keys and values above which a batch takes no further write
 * @param logBytesMax bytes of the redo log of cross-shard batches above which all shards are forced
 *     and the log is emptied
 * @param inFlightMax asynchronous calls that may be in flight; further callers block
 * @param gatherMax entries of a scan that each worker reads in advance, in parallel with the other
 *     workers. Applies to scans with no larger limit and to scans with two bounds. With 0, the
 *     caller reads one shard after another
 */
public record ShardSettings(
    int queueCapacity,
    int batchMax,
    int batchBytesMax,
    long logBytesMax,
    int inFlightMax,
    int gatherMax) {

  /**
   * Batches of 32 requests, as in the paper. Scans are read in advance up to the length for which
   * measurements showed a gain.
   */
  public static final ShardSettings DEFAULT =
      new ShardSettings(1024, 32, 1 << 20, 16 << 20, 4096, 16);

  /** Checks the ranges. */
  public ShardSettings {
    if (queueCapacity < 2
        || batchMax < 1
        || batchBytesMax < 0
        || logBytesMax < 0
        || inFlightMax < 1
        || gatherMax < 0) {
      throw new IllegalArgumentException(
          "queueCapacity=" + queueCapacity + " (2 or more), batchMax=" + batchMax
              + " (1 or more), batchBytesMax=" + batchBytesMax + " (0 or more), logBytesMax="
              + logBytesMax
              + " (0 or more), inFlightMax=" + inFlightMax + " (1 or more), gatherMax=" + gatherMax
              + " (0 or more)");
    }
  }

  /**
   * Returns how many entries of a scan each worker reads in advance. For a scan with a limit (the
   * paper's SCAN), each worker reads up to the limit, and surplus entries are discarded. For a scan
   * with two bounds (the paper's RANGE), each worker reads the first entries, and all are used. A
   * long or unbounded scan is merged instead and discards nothing.
   */
  public long gathered(ScanOptions options) {
    if (options.isKeysOnly()) {
      return 0;
    }
    if (options.limit() <= gatherMax) {
      return options.limit();
    }
    boolean range = options.from() != null && options.to() != null;
    return range && options.limit() == Long.MAX_VALUE ? gatherMax : 0;
  }
}
