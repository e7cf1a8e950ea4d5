// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.shard.worker.ShardSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the contract of {@code kv-api} on RocksDB shards: on 3, or on the number that
 * {@code -Drlsm.shards=8} sets. With that property it also runs on a single RocksDB.
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
