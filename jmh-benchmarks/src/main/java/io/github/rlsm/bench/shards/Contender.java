// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import io.github.rlsm.RlsmOptions;
import io.github.rlsm.RlsmStore;
import io.github.rlsm.RlsmStores;
import io.github.rlsm.bench.rocks.RocksKvStore;
import io.github.rlsm.bench.rocks.RocksSettings;
import io.github.rlsm.engine.ShardThreads;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.ShardEnvironment;
import io.github.rlsm.shard.ShardOpener;
import io.github.rlsm.shard.ShardSettings;
import io.github.rlsm.shard.ShardedStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;

/** The stores that are compared; all are given the same memory. */
public enum Contender {
  /** RocksDB behind the interface that all are called by. */
  ROCKSDB("RocksDB", false) {
    @Override
    KvStore open(Path directory, int shards) {
      return RocksKvStore.open(directory, ROCKS);
    }
  },
  /** RocksDB under shards. */
  ROCKSDB_SHARDS("RocksDB, shards", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return RocksKvStore.openSharded(directory, shards, ROCKS, ShardSettings.DEFAULT);
    }
  },
  /** This project's store. */
  RLSM("RLSM", false) {
    @Override
    KvStore open(Path directory, int shards) {
      return RlsmStores.open(directory, options(0, false));
    }
  },
  /** This project's store under shards, whose threads run anywhere. */
  RLSM_SHARDS("RLSM, shards", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return RlsmStores.open(directory, options(shards, false));
    }
  },
  /** The same, each shard's thread kept on a core. */
  RLSM_PINNED("RLSM, shards, pinned", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return RlsmStores.open(directory, options(shards, true));
    }
  },
  /** The same as any other engine under shards: a log of batches over several, and redo. */
  RLSM_REDO("RLSM, shards, redo", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return openPlain(directory, shards, ShardSettings.DEFAULT.gatherMax());
    }
  },
  /** The same; every scan is merged by the caller. */
  RLSM_MERGED("RLSM, shards, merged", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return openPlain(directory, shards, 0);
    }
  },
  /** The same; every shard reads a limited scan's whole number of entries. */
  RLSM_GATHERED("RLSM, shards, gathered", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return openPlain(directory, shards, Integer.MAX_VALUE);
    }
  };

  private static final long MEMORY_BYTES = 256L << 20;
  private static final RocksSettings ROCKS =
      new RocksSettings(MEMORY_BYTES / 2, MEMORY_BYTES / 4, false);

  private final String title;
  private final boolean sharded;

  Contender(String title, boolean sharded) {
    this.title = title;
    this.sharded = sharded;
  }

  /** Opens the store in an existing directory. */
  abstract KvStore open(Path directory, int shards);

  /** The name in reports. */
  public String title() {
    return title;
  }

  /** Whether it is made of shards, and so has calls that do not wait. */
  public boolean isSharded() {
    return sharded;
  }

  /** The name on the command line. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Shards whose logs are not asked to keep parts. */
  private static KvStore openPlain(Path directory, int shards, int gatherMax) {
    RlsmOptions each = RlsmOptions.builder().memoryBudget(MEMORY_BYTES / shards).build();
    ShardSettings usual = ShardSettings.DEFAULT;
    ShardThreads threads = new ShardThreads("bench", each.backgroundThreads());
    return ShardedStore.open(
        OsDirectory.create(directory),
        shards,
        ShardOpener.below(directory, (path, shard) -> RlsmStore.open(path, each)),
        new ShardSettings(
            usual.queueCapacity(),
            usual.batchMax(),
            usual.batchBytesMax(),
            usual.logBytesMax(),
            usual.inFlightMax(),
            gatherMax),
        new ShardEnvironment(threads, new SecureRandom(), threads));
  }

  private static RlsmOptions options(int shards, boolean pinned) {
    return RlsmOptions.builder()
        .memoryBudget(MEMORY_BYTES)
        .shards(shards)
        .pinShards(pinned)
        .build();
  }
}
