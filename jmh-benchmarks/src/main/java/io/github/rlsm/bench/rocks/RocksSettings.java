// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

/**
 * The settings of a RocksDB.
 *
 * @param cacheBytes size of the block cache
 * @param writeBufferBytes size of one memtable; there may be two
 * @param statistics whether RocksDB counts statistics, at a small cost
 */
public record RocksSettings(long cacheBytes, long writeBufferBytes, boolean statistics) {

  private static final long SHARE_BYTES_MIN = 1 << 20;

  /** The settings of one of several shards, with its share of the memory. */
  RocksSettings ofShard(int shards) {
    return new RocksSettings(
        Math.max(SHARE_BYTES_MIN, cacheBytes / shards),
        Math.max(SHARE_BYTES_MIN, writeBufferBytes / shards),
        statistics);
  }
}
