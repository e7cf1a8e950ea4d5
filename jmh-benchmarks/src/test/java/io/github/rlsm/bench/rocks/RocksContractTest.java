// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.ManyKeysContract;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.shard.ShardSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract of {@code kv-api} over shards that are RocksDBs: the part about many keys over 3 of
 * them. With {@code -Drlsm.shards=8} all of it, over so many, and over one RocksDB alone: opening
 * them for each test takes its time.
 */
class RocksContractTest {

  private static final String SHARDS = "rlsm.shards";
  private static final RocksSettings SETTINGS = new RocksSettings(8 << 20, 4 << 20, true);
  private static final ShardSettings SHARDING = new ShardSettings(64, 32, 1 << 20, 4_000, 64, 8);

  private static StoreFactory sharded(int shards) {
    return directory -> RocksKvStore.openSharded(directory, shards, SETTINGS, SHARDING);
  }

  @Nested
  class ManyKeys extends ManyKeysContract {
    @Override
    protected StoreFactory factory() {
      return sharded(3);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = SHARDS, matches = ".+")
  class All extends KvStoreContract {
    @Override
    protected StoreFactory factory() {
      return sharded(Integer.getInteger(SHARDS));
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = SHARDS, matches = ".+")
  class Alone extends KvStoreContract {
    @Override
    protected StoreFactory factory() {
      return directory -> RocksKvStore.open(directory, SETTINGS);
    }
  }
}
