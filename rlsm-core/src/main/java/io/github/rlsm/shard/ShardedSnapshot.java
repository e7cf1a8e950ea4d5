// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.shard.worker.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A snapshot of each shard, all taken at the same moment. Threads: any. */
final class ShardedSnapshot implements Snapshot {

  private final Shards shards;
  private final Function<Keyspace, ShardedKeyspace> own;
  private final List<Snapshot> parts;
  private final Reader defaults;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates a snapshot.
   *
   * @param own casts a user's keyspace; throws if it belongs to another store
   * @param parts the snapshot of each shard
   */
  ShardedSnapshot(Shards shards, Function<Keyspace, ShardedKeyspace> own, List<Snapshot> parts) {
    this.shards = shards;
    this.own = own;
    this.parts = parts;
    this.defaults = new Reader(shards, parts, this::check);
    shards.snapshotOpened();
  }

  private void check() {
    shards.checkReads();
    if (closed.get()) {
      throw new StoreClosedException("snapshot");
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    return defaults.get(key, offset, length);
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    return defaults.contains(key, offset, length);
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    return defaults.multiGet(keys);
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    return defaults.scan(options);
  }

  @Override
  public KvReader in(Keyspace keyspace) {
    Objects.requireNonNull(keyspace, "keyspace");
    check();
    ShardedKeyspace sharded = own.apply(keyspace);
    List<KvReader> readers = new ArrayList<>();
    for (int shard = 0; shard < parts.size(); shard++) {
      readers.add(parts.get(shard).in(sharded.part(shard)));
    }
    return new Reader(shards, readers, this::check);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      parts.forEach(Snapshot::close);
      shards.snapshotClosed();
    }
  }

  /**
   * A reader of one keyspace in a snapshot. The data does not change, so callers read the shards
   * themselves, without the workers. Threads: any.
   */
  private static final class Reader implements KvReader {

    private final Shards shards;
    private final List<? extends KvReader> parts;
    private final Runnable check;

    /**
     * Creates a reader.
     *
     * @param parts the keyspace in each shard
     * @param check throws if reads are not allowed any more
     */
    Reader(Shards shards, List<? extends KvReader> parts, Runnable check) {
      this.shards = shards;
      this.parts = parts;
      this.check = check;
    }

    private KvReader partOf(byte[] key, int offset, int length) {
      EntryLimits.checkKey(key, offset, length);
      check.run();
      return parts.get(shards.router().shardOf(key, offset, length));
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
      ShardedKeyspace.SplitKeys split = new ShardedKeyspace.SplitKeys(shards.router(), keys);
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
      return MergedIterator.of(shards, iterators, options);
    }
  }
}
