// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one keyspace in a snapshot. The data does not change, so callers read the shards
 * themselves, without the workers. Threads: any.
 */
final class ShardedReader implements KvReader {

  private final ShardedStore store;
  private final ShardRouter router;
  private final List<? extends KvReader> parts;
  private final Runnable check;

  /**
   * Creates a reader.
   *
   * @param parts the keyspace in each shard
   * @param check throws if reads are not allowed any more
   */
  ShardedReader(
      ShardedStore store, ShardRouter router, List<? extends KvReader> parts, Runnable check) {
    this.store = store;
    this.router = router;
    this.parts = parts;
    this.check = check;
  }

  private KvReader partOf(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    check.run();
    return parts.get(router.shardOf(key, offset, length));
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    return partOf(key, offset, length).get(key, offset, length);
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    return partOf(key, offset, length).contains(key, offset, length);
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    SplitKeys split = new SplitKeys(router, keys);
    check.run();
    List<List<byte @Nullable []>> found = new ArrayList<>();
    for (int shard : split.shards()) {
      found.add(parts.get(shard).multiGet(split.keys(shard)));
    }
    return split.join(found);
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    check.run();
    List<KvIterator> iterators = new ArrayList<>();
    try {
      parts.forEach(part -> iterators.add(part.scan(options)));
    } catch (RuntimeException e) {
      iterators.forEach(KvIterator::close);
      throw e;
    }
    return MergedIterator.of(store, iterators, options);
  }
}
