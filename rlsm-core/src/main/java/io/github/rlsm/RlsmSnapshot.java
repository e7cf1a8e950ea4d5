// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.read.SnapshotHandle;
import java.util.Objects;

/** A snapshot of the whole store. Threads: any. */
final class RlsmSnapshot extends KeyspaceView implements Snapshot {

  /**
   * The prefix of the highest keyspace id. No store ever assigns the id, so the prefix has no
   * entries.
   */
  private static final byte[] NO_KEYSPACE = KeyspacePrefix.of(KeyspacePrefix.ID_MAX);

  private final RlsmStore store;
  private final SnapshotHandle handle;

  RlsmSnapshot(RlsmStore store, SnapshotHandle handle) {
    super(store.engine(), store.prefix(), handle);
    this.store = store;
    this.handle = handle;
  }

  @Override
  void check() {
    store.check();
    if (handle.isReleased()) {
      throw new StoreClosedException("snapshot");
    }
  }

  private KeyspaceView view(byte[] prefix) {
    return new KeyspaceView(store.engine(), prefix, handle) {
      @Override
      void check() {
        RlsmSnapshot.this.check();
      }
    };
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
