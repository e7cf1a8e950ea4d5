// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The keys of one lookup, split by shard. Threads: one thread builds it, then read-only. */
final class SplitKeys {

  private final int[] shardOfKey;
  private final List<List<byte[]>> keys = new ArrayList<>();
  private final int[] shards;

  /** Checks the keys and splits them. */
  SplitKeys(ShardRouter router, List<byte[]> keys) {
    this.shardOfKey = new int[Objects.requireNonNull(keys, "keys").size()];
    for (int i = 0; i < router.shards(); i++) {
      this.keys.add(new ArrayList<>());
    }
    for (int i = 0; i < shardOfKey.length; i++) {
      byte[] key = keys.get(i);
      EntryLimits.checkKey(key);
      shardOfKey[i] = router.shardOf(key, 0, key.length);
      this.keys.get(shardOfKey[i]).add(key);
    }
    this.shards = IntStream.range(0, router.shards())
        .filter(shard -> !this.keys.get(shard).isEmpty())
        .toArray();
  }

  /** The shards with at least one key. */
  int[] shards() {
    return shards;
  }

  /** Returns a shard's keys, in the order of the lookup. */
  List<byte[]> keys(int shard) {
    return keys.get(shard);
  }

  /**
   * Returns the values in the order of the keys.
   *
   * @param found for each of {@link #shards()}, the values of its keys
   */
  List<byte @Nullable []> join(List<List<byte @Nullable []>> found) {
    int[] next = new int[keys.size()];
    int[] place = new int[keys.size()];
    for (int i = 0; i < shards.length; i++) {
      place[shards[i]] = i;
    }
    List<byte @Nullable []> values = new ArrayList<>(shardOfKey.length);
    for (int shard : shardOfKey) {
      values.add(found.get(place[shard]).get(next[shard]++));
    }
    return values;
  }
}
