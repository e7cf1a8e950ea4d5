// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A snapshot of each shard, all taken at the same moment. Threads: any. */
final class ShardedSnapshot implements Snapshot {

  private final ShardedStore store;
  private final List<Snapshot> parts;
  private final ShardedReader defaults;
  private final AtomicBoolean closed = new AtomicBoolean();

  ShardedSnapshot(ShardedStore store, ShardRouter router, List<Snapshot> parts) {
    this.store = store;
    this.parts = parts;
    this.defaults = new ShardedReader(store, router, parts, this::check);
    store.opened();
  }

  private void check() {
    store.shards().checkReads();
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
    ShardedKeyspace own = store.own(keyspace);
    List<KvReader> readers = new ArrayList<>();
    for (int shard = 0; shard < parts.size(); shard++) {
      readers.add(parts.get(shard).in(own.part(shard)));
    }
    return new ShardedReader(store, store.shards().router(), readers, this::check);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      parts.forEach(Snapshot::close);
      store.closed();
    }
  }
}
