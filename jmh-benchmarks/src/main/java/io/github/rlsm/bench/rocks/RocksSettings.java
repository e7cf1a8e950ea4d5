// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

/**
 * What RocksDB is opened with.
 *
 * @param cacheBytes for its block cache
 * @param writeBufferBytes for one memtable; it may hold two
 * @param statistics whether it counts what it does, which costs a little
 */
public record RocksSettings(long cacheBytes, long writeBufferBytes, boolean statistics) {

  private static final long SHARE_BYTES_MIN = 1 << 20;

  /** For one of several shards: its part of the memory. */
  RocksSettings ofShard(int shards) {
    return new RocksSettings(
        Math.max(SHARE_BYTES_MIN, cacheBytes / shards),
        Math.max(SHARE_BYTES_MIN, writeBufferBytes / shards),
        statistics);
  }
}
