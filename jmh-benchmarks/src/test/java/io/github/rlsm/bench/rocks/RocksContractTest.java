// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.shard.ShardSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract of {@code kv-api} over shards that are RocksDBs: over 3 of them, or over as many as
 * {@code -Drlsm.shards=8} says; with that property also over one RocksDB alone.
 */
class RocksContractTest {

  private static final String SHARDS = "rlsm.shards";
  private static final RocksSettings SETTINGS = new RocksSettings(8 << 20, 4 << 20, true);
  private static final ShardSettings SHARDING = new ShardSettings(64, 32, 1 << 20, 4_000, 64, 8);

  @Nested
  class Sharded extends KvStoreContract {
    @Override
    protected StoreFactory factory() {
      int shards = Integer.getInteger(SHARDS, 3);
      return directory -> RocksKvStore.openSharded(directory, shards, SETTINGS, SHARDING);
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
