// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Tests that the model keeps its promises, and so that the contract can be fulfilled. */
class ModelStoreTest extends KvStoreContract {

  private final StoreFactory models = new ModelFactory();

  @Override
  protected StoreFactory factory() {
    return models;
  }

  /** Keeps the content of a model after its close, as a directory would. */
  static final class ModelFactory implements StoreFactory {

    private final Supplier<ModelStore> first;
    private final Map<Path, ModelStore> stores = new HashMap<>();

    ModelFactory() {
      this(ModelStore::new);
    }

    ModelFactory(Supplier<ModelStore> first) {
      this.first = first;
    }

    @Override
    public synchronized KvStore open(Path directory) {
      ModelStore before = stores.get(directory);
      ModelStore store = before == null ? first.get() : before.reopen();
      stores.put(directory, store);
      return store;
    }
  }
}
