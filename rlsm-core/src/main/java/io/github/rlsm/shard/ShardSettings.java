// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.ScanOptions;

/**
 * How the workers take their requests.
 *
 * @param queueCapacity requests that may wait for one shard; who comes later waits for room
 * @param batchMax most neighbouring requests served as one; 1 for no batching
 * @param batchBytesMax bytes of keys and values above which a batch takes no further write
 * @param logBytesMax bytes of the log of batches over several shards above which all shards are
 *     forced and it is emptied
 * @param inFlightMax asynchronous calls that may be under way; who makes one more waits
 * @param gatherMax entries of a scan that each worker reads itself, all at the same time, if the
 *     scan has no larger limit, or two bounds; 0 for none, then the caller reads one after another
 */
public record ShardSettings(
    int queueCapacity,
    int batchMax,
    int batchBytesMax,
    long logBytesMax,
    int inFlightMax,
    int gatherMax) {

  /** The paper's 32 requests to a batch; scans are gathered as far as that was seen to pay. */
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
   * How many entries of a scan each worker shall read: of a SCAN, in the paper's words, as many as
   * it wants, and all but those that come first are thrown away; of a RANGE the first ones, of
   * which none is. A long or open scan is merged instead, and reads nothing in vain.
   */
  long gathered(ScanOptions options) {
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
