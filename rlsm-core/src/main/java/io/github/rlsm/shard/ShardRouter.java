// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.KeyHash;

/**
 * Which shard a key belongs to. Decided by the user's key alone, without its keyspace, and part of
 * what is on disk: it never changes.
 *
 * <p>The keys of one shard have hashes with a common remainder. That is no loss to the engine
 * below, whose filters and pages hash a keyspace's number together with the key: other values
 * altogether.
 *
 * <p>Threads: any.
 */
public final class ShardRouter {

  /** The most shards a store may have. */
  public static final int SHARDS_MAX = 1024;

  private final int shards;

  /**
   * A router.
   *
   * @param shards 1 to {@link #SHARDS_MAX}
   */
  public ShardRouter(int shards) {
    check(shards);
    this.shards = shards;
  }

  /** Refuses an impossible number of shards. */
  static void check(int shards) {
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "the number of shards is " + shards + ", must be 1 to " + SHARDS_MAX);
    }
  }

  /** The number of shards. */
  public int shards() {
    return shards;
  }

  /** The shard of {@code key[offset, offset + length)}: its hash modulo the number of shards. */
  public int shardOf(byte[] key, int offset, int length) {
    return (int) Long.remainderUnsigned(KeyHash.hash(key, offset, length), shards);
  }
}
