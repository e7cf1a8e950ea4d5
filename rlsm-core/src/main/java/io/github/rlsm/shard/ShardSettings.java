// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

/**
 * How the workers take their requests.
 *
 * @param queueCapacity requests that may wait for one shard; who comes later waits for room
 * @param batchMax most neighbouring requests served as one; 1 for no batching
 * @param batchBytesMax bytes of keys and values above which a batch takes no further write
 * @param logBytesMax bytes of the log of batches over several shards above which all shards are
 *     forced and it is emptied
 * @param inFlightMax asynchronous calls that may be under way; who makes one more waits
 */
public record ShardSettings(
    int queueCapacity, int batchMax, int batchBytesMax, long logBytesMax, int inFlightMax) {

  /** The paper's 32 requests to a batch. */
  public static final ShardSettings DEFAULT = new ShardSettings(1024, 32, 1 << 20, 16 << 20, 4096);

  /** Checks the ranges. */
  public ShardSettings {
    if (queueCapacity < 2
        || batchMax < 1
        || batchBytesMax < 0
        || logBytesMax < 0
        || inFlightMax < 1) {
      throw new IllegalArgumentException(
          "queueCapacity=" + queueCapacity + " (2 or more), batchMax=" + batchMax
              + " (1 or more), batchBytesMax=" + batchBytesMax + " (0 or more), logBytesMax="
              + logBytesMax
              + " (0 or more), inFlightMax=" + inFlightMax + " (1 or more)");
    }
  }
}
