// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;

/** A keyspace with a name. Unusable after it was dropped. Threads: any. */
final class NamedKeyspace extends AbstractKeyspace {

  private final RlsmStore store;
  private final String name;
  private final int id;
  private volatile boolean dropped;

  NamedKeyspace(RlsmStore store, Engine engine, String name, int id) {
    super(engine, KeyspacePrefix.of(id));
    this.store = store;
    this.name = name;
    this.id = id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KvStore store() {
    return store;
  }

  int id() {
    return id;
  }

  void drop() {
    dropped = true;
  }

  @Override
  void check() {
    store.check();
    if (dropped) {
      throw new NoSuchKeyspaceException(name);
    }
  }
}
