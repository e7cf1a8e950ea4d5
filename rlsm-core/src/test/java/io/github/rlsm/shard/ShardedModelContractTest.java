// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.SimulatedDirectory;
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

/** The contract of {@code kv-api} over 1, 2, 3 and 8 shards of the model. */
class ShardedModelContractTest {

  @Nested
  class One extends KvStoreContract {
    private final StoreFactory models = new Models(1);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class Two extends KvStoreContract {
    private final StoreFactory models = new Models(2);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class Three extends KvStoreContract {
    private final StoreFactory models = new Models(3);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class Eight extends KvStoreContract {
    private final StoreFactory models = new Models(8);

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  /** Lets models outlive their close, as if a directory held them. */
  private static final class Models implements StoreFactory {

    private final int shards;
    private final Map<Path, SimulatedDirectory> directories = new HashMap<>();
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
      return TestShards.over(
          directories.computeIfAbsent(directory, missing -> new SimulatedDirectory()),
          opened,
          TestShards.SETTINGS);
    }
  }
}
