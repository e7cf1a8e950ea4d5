// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A {@link ModelStore} frozen at one point in time: a frozen map for each keyspace of that time.
 *
 * <p>Threads: guarded by the store's monitor.
 */
final class ModelSnapshot extends ModelReader implements Snapshot {

  private final ModelKeyspace defaultKeyspace;
  private final Map<ModelKeyspace, ModelMap> frozen = new HashMap<>();
  private boolean closed;

  /** Creates a snapshot; called with the store's monitor held. */
  ModelSnapshot(ModelStore store, ModelKeyspace defaultKeyspace, Iterable<ModelKeyspace> named) {
    super(store);
    this.defaultKeyspace = defaultKeyspace;
    frozen.put(defaultKeyspace, defaultKeyspace.entries().snapshot());
    for (ModelKeyspace keyspace : named) {
      frozen.put(keyspace, keyspace.entries().snapshot());
    }
    store.counters().opened();
  }

  @Override
  ModelMap entries() {
    return entries(defaultKeyspace);
  }

  private ModelMap entries(ModelKeyspace keyspace) {
    if (closed) {
      throw new StoreClosedException("snapshot");
    }
    store.checkOpen();
    return frozen.getOrDefault(keyspace, new ModelMap());
  }

  @Override
  public KvReader in(Keyspace keyspace) {
    ModelKeyspace own = store.own(Objects.requireNonNull(keyspace, "keyspace"));
    synchronized (store) {
      entries(own);
    }
    return new ModelReader(store) {
      @Override
      ModelMap entries() {
        return ModelSnapshot.this.entries(own);
      }
    };
  }

  @Override
  public void close() {
    synchronized (store) {
      if (!closed) {
        closed = true;
        store.counters().closed();
      }
    }
  }
}
