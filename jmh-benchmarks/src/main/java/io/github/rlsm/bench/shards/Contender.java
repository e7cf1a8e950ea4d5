// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.bench.rocks.RocksKvStore;
import io.github.rlsm.bench.rocks.RocksSettings;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.thread.ShardThreads;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;

/** The stores in a comparison of shards. All get the same memory. */
public enum Contender {
  /** RocksDB behind the common interface. */
  ROCKSDB("RocksDB", false) {
    @Override
    KvStore open(Path directory, int shards) {
      return RocksKvStore.open(directory, ROCKS);
    }
  },
  /** RocksDB with shards. */
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
      return Rlsm.open(directory, options(0, false));
    }
  },
  /** This project's store with shards. Shard threads run on any core. */
  RLSM_SHARDS("RLSM, shards", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return Rlsm.open(directory, options(shards, false));
    }
  },
  /** The same, with each shard's thread pinned to a core. */
  RLSM_PINNED("RLSM, shards, pinned", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return Rlsm.open(directory, options(shards, true));
    }
  },
  /** The same, with the transaction log and redo that other engines use. */
  RLSM_REDO("RLSM, shards, redo", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return openPlain(directory, shards, ShardSettings.DEFAULT.gatherMax());
    }
  },
  /** The same, with every scan merged by the caller. */
  RLSM_MERGED("RLSM, shards, merged", true) {
    @Override
    KvStore open(Path directory, int shards) {
      return openPlain(directory, shards, 0);
    }
  },
  /** The same, with every shard reading a scan's full limit of entries. */
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

  /** Whether the store has shards. */
  public boolean isSharded() {
    return sharded;
  }

  /** The name on the command line. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Opens shards whose logs do not keep parts of batches. */
  private static KvStore openPlain(Path directory, int shards, int gatherMax) {
    RlsmOptions each = RlsmOptions.builder().memoryBudget(MEMORY_BYTES / shards).build();
    ShardSettings usual = ShardSettings.DEFAULT;
    ShardThreads threads = new ShardThreads("bench", each.backgroundThreads());
    return ShardOpening.open(
        OsDirectory.create(directory),
        shards,
        ShardOpener.below(directory, (path, shard) -> Rlsm.open(path, each)),
        new ShardSettings(
            usual.queueCapacity(),
            usual.batchMax(),
            usual.batchBytesMax(),
            usual.logBytesMax(),
            usual.inFlightMax(),
            gatherMax),
        new ShardOpening.Services(threads, new SecureRandom(), threads));
  }

  private static RlsmOptions options(int shards, boolean pinned) {
    return RlsmOptions.builder()
        .memoryBudget(MEMORY_BYTES)
        .shards(shards)
        .pinShards(pinned)
        .build();
  }
}
