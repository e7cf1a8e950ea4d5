// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A user's batch, split by shard. Threads: one thread builds it, then read-only. */
public final class SplitBatch implements WriteBatch.Visitor {

  private final ShardRouter router;
  private final Function<Keyspace, ShardedKeyspace> own;
  private final @Nullable WriteBatch[] parts;
  private final Set<ShardedKeyspace> keyspaces = new LinkedHashSet<>();

  /**
   * Splits a batch.
   *
   * @param own casts a user's keyspace; throws if it belongs to another store
   */
  public SplitBatch(WriteBatch batch, ShardRouter router, Function<Keyspace, ShardedKeyspace> own) {
    this.router = router;
    this.own = own;
    this.parts = new WriteBatch[router.shards()];
    batch.forEach(this);
  }

  /** Returns the shards that the batch writes to. */
  public int[] shards() {
    return IntStream.range(0, parts.length).filter(i -> parts[i] != null).toArray();
  }

  /** Returns the operations for a shard, in the user's order. */
  public WriteBatch part(int shard) {
    WriteBatch part = parts[shard];
    if (part == null) {
      part = new WriteBatch();
      parts[shard] = part;
    }
    return part;
  }

  /** Throws if a keyspace of the batch was dropped, or writes are not allowed any more. */
  void check() {
    keyspaces.forEach(ShardedKeyspace::checkWrites);
  }

  @Override
  public void put(
      @Nullable Keyspace keyspace,
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength) {
    int shard = router.shardOf(bytes, keyOffset, keyLength);
    part(shard)
        .put(
            inShard(keyspace, shard), bytes, keyOffset, keyLength, bytes, valueOffset, valueLength);
  }

  @Override
  public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
    int shard = router.shardOf(bytes, keyOffset, keyLength);
    part(shard).delete(inShard(keyspace, shard), bytes, keyOffset, keyLength);
  }

  private @Nullable Keyspace inShard(@Nullable Keyspace keyspace, int shard) {
    if (keyspace == null) {
      return null;
    }
    ShardedKeyspace sharded = own.apply(keyspace);
    keyspaces.add(sharded);
    return sharded.part(shard);
  }
}
