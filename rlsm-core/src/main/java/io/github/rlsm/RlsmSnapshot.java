// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.read.SnapshotHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A snapshot of the whole store. Threads: any. */
final class RlsmSnapshot implements Snapshot {

  /**
   * The prefix of the highest keyspace id. No store ever assigns the id, so the prefix has no
   * entries.
   */
  private static final byte[] NO_KEYSPACE = KeyspacePrefix.of(KeyspacePrefix.ID_MAX);

  private final RlsmStore store;
  private final SnapshotHandle handle;
  private final KeyspaceView defaults;

  RlsmSnapshot(RlsmStore store, SnapshotHandle handle) {
    this.store = store;
    this.handle = handle;
    this.defaults = view(store.prefix());
  }

  private KeyspaceView view(byte[] prefix) {
    return new KeyspaceView(store.engine(), prefix, handle, this::check);
  }

  private void check() {
    store.check();
    if (handle.isReleased()) {
      throw new StoreClosedException("snapshot");
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    return defaults.get(key, offset, length);
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
    AbstractKeyspace own = store.own(keyspace);
    if (own instanceof NamedKeyspace named && handle.isDropped(named.id())) {
      return view(NO_KEYSPACE);
    }
    return view(own.prefix());
  }

  @Override
  public void close() {
    store.engine().release(handle);
  }
}
