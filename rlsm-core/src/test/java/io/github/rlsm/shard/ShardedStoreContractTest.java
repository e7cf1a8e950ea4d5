// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.RlsmOptions;
import io.github.rlsm.RlsmStore;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@code kv-api} over 1, 2, 3 and 8 shards of the model, and over 3 of the engine:
 * every test opens them anew, which takes its time. Another number of engines:
 * {@code -Drlsm.shards=8}.
 */
class ShardedStoreContractTest {

  private static final int ENGINES = Integer.getInteger("rlsm.shards", 3);

  @Nested
  class OneModel extends KvStoreContract {
    private final StoreFactory models = new Models(1);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class TwoModels extends KvStoreContract {
    private final StoreFactory models = new Models(2);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class ThreeModels extends KvStoreContract {
    private final StoreFactory models = new Models(3);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class EightModels extends KvStoreContract {
    private final StoreFactory models = new Models(8);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class Engines extends KvStoreContract {
    @Override
    protected StoreFactory factory() {
      return engines(ENGINES);
    }
  }

  private static ShardedStore sharded(List<? extends KvStore> stores) {
    return ShardedStore.over(stores, new ShardSettings(64, 32, 1 << 20), task -> {
      Thread thread = new Thread(task);
      thread.setDaemon(true);
      return thread;
    });
  }

  private static StoreFactory engines(int shards) {
    RlsmOptions options = RlsmOptions.builder().memoryBudget(4L << 20).build();
    return directory -> {
      List<KvStore> stores = new ArrayList<>();
      try {
        for (int i = 0; i < shards; i++) {
          stores.add(RlsmStore.open(directory.resolve("shard-" + i), options));
        }
      } catch (RuntimeException e) {
        stores.forEach(KvStore::close);
        throw e;
      }
      return sharded(stores);
    };
  }

  /** Lets models outlive their close, as if a directory held them. */
  private static final class Models implements StoreFactory {

    private final int shards;
    private final Map<Path, List<ModelStore>> stores = new HashMap<>();

    Models(int shards) {
      this.shards = shards;
    }

    @Override
    public synchronized KvStore open(Path directory) {
      List<ModelStore> before = stores.get(directory);
      List<ModelStore> opened = new ArrayList<>();
      for (int i = 0; i < shards; i++) {
        opened.add(before == null ? new ModelStore() : before.get(i).reopen());
      }
      stores.put(directory, opened);
      return sharded(opened);
    }
  }
}
