// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.base.KeyHash;

/**
 * Maps keys to shards. The mapping depends only on the user's key, not on its keyspace. It is part
 * of the on-disk format and never changes.
 *
 * <p>The hashes of all keys of a shard have the same remainder. This does not harm the engine
 * below. Its filters and pages hash the keyspace id together with the key, which gives unrelated
 * hashes.
 *
 * <p>Threads: any.
 */
public final class ShardRouter {

  /** The maximum number of shards. */
  public static final int SHARDS_MAX = 1024;

  private final int shards;

  /**
   * Creates a router.
   *
   * @param shards 1 to {@link #SHARDS_MAX}
   */
  public ShardRouter(int shards) {
    check(shards);
    this.shards = shards;
  }

  /** Refuses an invalid number of shards. */
  public static void check(int shards) {
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "the number of shards is " + shards + "; it must be 1 to " + SHARDS_MAX);
    }
  }

  /** The number of shards. */
  public int shards() {
    return shards;
  }

  /**
   * Returns the shard of {@code key[offset, offset + length)}: its hash modulo the number of
   * shards.
   */
  public int shardOf(byte[] key, int offset, int length) {
    return (int) Long.remainderUnsigned(KeyHash.hash(key, offset, length), shards);
  }
}
