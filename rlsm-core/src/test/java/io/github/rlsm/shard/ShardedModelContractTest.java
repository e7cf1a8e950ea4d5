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

  abstract static class OverModels extends KvStoreContract {
    private final StoreFactory models;

    OverModels(int shards) {
      models = new Models(shards);
    }

    @Override
    protected StoreFactory factory() {
      return models;
    }
  }

  @Nested
  class One extends OverModels {
    One() {
      super(1);
    }
  }

  @Nested
  class Two extends OverModels {
    Two() {
      super(2);
    }
  }

  @Nested
  class Three extends OverModels {
    Three() {
      super(3);
    }
  }

  @Nested
  class Eight extends OverModels {
    Eight() {
      super(8);
    }
  }

  /** Keeps the content of models after their close, as a directory would. */
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
