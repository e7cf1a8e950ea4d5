// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.ManyKeysContract;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.shard.TestShards;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.parts.PartLog;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of {@code kv-api} over shards of the engine, in memory, because durability on a
 * device is not its subject. Every test opens new shards. All tests run over 3 shards, or over the
 * number set by {@code -Drlsm.shards=8}. The tests about many keys also run over 1, 2 and 8 shards.
 */
@Tag("optimized")
class ShardedEngineContractTest {

  @Nested
  class All extends KvStoreContract {
    private final StoreFactory engines = new Engines(Integer.getInteger("rlsm.shards", 3));

    @Override
    protected StoreFactory factory() {
      return engines;
    }
  }

  abstract static class ManyKeys extends ManyKeysContract {
    private final StoreFactory engines;

    ManyKeys(int shards) {
      engines = new Engines(shards);
    }

    @Override
    protected StoreFactory factory() {
      return engines;
    }
  }

  @Nested
  class One extends ManyKeys {
    One() {
      super(1);
    }
  }

  @Nested
  class Two extends ManyKeys {
    Two() {
      super(2);
    }
  }

  @Nested
  class Eight extends ManyKeys {
    Eight() {
      super(8);
    }
  }

  /** Shards of the engine, in memory. */
  static final class Engines implements StoreFactory {

    /** Gives each opening other salts. */
    private static final AtomicLong OPENED = new AtomicLong();

    private final int shards;
    private final RlsmOptions options =
        RlsmOptions.builder().memoryBudget(2L << 20).backgroundThreads(1).build();
    private final Map<Path, List<SimulatedDirectory>> directories = new HashMap<>();

    Engines(int shards) {
      this.shards = shards;
    }

    @Override
    public synchronized KvStore open(Path path) {
      List<SimulatedDirectory> own = directories.computeIfAbsent(path, missing -> {
        List<SimulatedDirectory> empty = new ArrayList<>();
        for (int i = 0; i <= shards; i++) {
          empty.add(new SimulatedDirectory());
        }
        return empty;
      });
      return ShardOpening.open(
          own.get(shards),
          shards,
          opener(own),
          TestShards.SETTINGS,
          TestShards.environment(OPENED.incrementAndGet()));
    }

    private ShardOpener opener(List<SimulatedDirectory> own) {
      return new ShardOpener() {
        @Override
        public KvStore open(int set, int shard) {
          return RlsmStore.open(own.get(shard), options, environment(shard));
        }

        @Override
        public boolean keepsParts() {
          return true;
        }

        @Override
        public PartLog.Opening prepare(int set, int shard) {
          return RlsmPartLog.prepare(own.get(shard), options, environment(shard));
        }
      };
    }

    private static Environment environment(int shard) {
      return new Environment(
          System::nanoTime,
          new SplittableRandom(OPENED.incrementAndGet()),
          new ThreadScheduler("shard-" + shard, 1));
    }

    @Override
    public synchronized void checkClosed(Path path) {
      assertThat(directories.get(path))
          .allMatch(directory -> directory.openHandles().isEmpty());
    }
  }
}
