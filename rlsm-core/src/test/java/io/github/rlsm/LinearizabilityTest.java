// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreFactory.Crash;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.TestShards;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests single keys under many threads: the results of the calls must be possible results of the
 * same calls in some sequential order. Checked by OpenSearch's checker (Wing and Gong's algorithm,
 * with Lowe's cache of tried states). Each key is checked alone, because linearizability is a
 * property of each object.
 *
 * <p>Flushes, compactions and collections run concurrently with the calls. The store is opened
 * again four times in each history, with other options: after a close, after the death of its
 * process, or after a power loss.
 *
 * <p>The system property {@code rlsm.t10.histories} sets the number of histories,
 * {@value #HISTORIES} by default. Half of them are histories of the engine alone, and an eighth
 * each of 1, 2, 3 and 8 shards. The system property {@code rlsm.t10.bugs} sets the number of
 * histories of broken stores, {@value #BUGS} by default.
 */
@Tag("optimized")
class LinearizabilityTest {

  private static final int HISTORIES = 200;
  private static final int BUGS = 40;

  private interface Worlds {
    World of(SplittableRandom random);
  }

  /** A store in simulated directories. */
  private abstract static class World implements HistoryRun.World {

    private @Nullable KvStore open;
    private boolean crashed;

    abstract KvStore open(SplittableRandom random);

    /** Replaces the files by the bytes that survive the crash. */
    abstract void lose(Crash crash, SplittableRandom random);

    @Override
    public KvStore store() {
      KvStore store = open;
      if (store == null) {
        throw new IllegalStateException("the store is not open");
      }
      return store;
    }

    @Override
    public void crash(Crash crash, SplittableRandom random) {
      crashed = true;
      lose(crash, random);
    }

    @Override
    public void reopen(SplittableRandom random) {
      close();
      open = open(random);
    }

    void close() {
      if (open == null) {
        return;
      }
      try {
        open.close(); // The process is dead: only the threads end.
      } catch (KvException e) {
        if (!crashed) {
          throw e;
        }
      }
      crashed = false;
    }
  }

  private static final class EngineWorld extends World {

    private SimulatedDirectory files;

    EngineWorld(SplittableRandom random) {
      files = RandomOptions.directory(random);
    }

    @Override
    KvStore open(SplittableRandom random) {
      Environment environment =
          new Environment(System::nanoTime, random.split(), new ThreadScheduler("engine", 1));
      return RlsmStore.open(files, RandomOptions.draw(random), environment);
    }

    @Override
    void lose(Crash crash, SplittableRandom random) {
      files = crash == Crash.KILL ? files.kill() : files.crash(style(random), random.nextLong());
    }

    @Override
    public void maintain(SplittableRandom random) {
      RlsmStore store = (RlsmStore) store();
      switch (random.nextInt(4)) {
        case 0 -> store.settle();
        case 1 -> store.collect();
        default -> store.flush();
      }
    }
  }

  /** In three of four histories, the shards' logs hold the parts of cross-shard batches. */
  private static final class ShardWorld extends World {

    private final int shards;
    private EngineShards files;

    ShardWorld(int shards, SplittableRandom random) {
      this.shards = shards;
      files = EngineShards.empty(
              RandomOptions.draw(random),
              shards,
              random.nextInt(4) > 0,
              () -> RandomOptions.directory(random))
          .withThreads();
    }

    @Override
    KvStore open(SplittableRandom random) {
      files = files.withOptions(RandomOptions.draw(random));
      return ShardOpening.open(
          files.directory(),
          shards,
          files.opener(),
          TestShards.SETTINGS,
          TestShards.environment(random.nextLong()));
    }

    @Override
    void lose(Crash crash, SplittableRandom random) {
      EngineShards left = crash == Crash.KILL
          ? files.afterKill(random.nextLong())
          : files.afterPowerLoss(style(random), random.nextLong());
      files.die();
      files = left;
    }

    @Override
    public void maintain(SplittableRandom random) {
      store().flush();
    }
  }

  private static CrashStyle style(SplittableRandom random) {
    return CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
  }

  private static void check(String name, Worlds worlds, int histories) throws Exception {
    long first = Proof.seed("T10");
    SplittableRandom seeds = new SplittableRandom(first);
    for (int i = 0; i < histories; i++) {
      long seed = i == 0 ? first : seeds.nextLong();
      SplittableRandom random = new SplittableRandom(seed);
      World world = worlds.of(random);
      world.reopen(random);
      Crash crash = oneOf(random, null, Crash.KILL, Crash.POWER_LOSS);
      for (KeyHistory key : new HistoryRun(world, crash, random.nextLong()).run()) {
        assertThat(key.isLinearizable())
            .as(() ->
                name + ", restarts by " + crash + ", " + TestSeed.howToReplay(seed) + ": " + key)
            .isTrue();
      }
      world.close();
    }
    Proof.ran("T10", "histories", histories);
  }

  private static @Nullable Crash oneOf(SplittableRandom random, @Nullable Crash... crashes) {
    return crashes[random.nextInt(crashes.length)];
  }

  @Test
  void theEngine() throws Exception {
    check("engine", EngineWorld::new, (Proof.count("t10.histories", HISTORIES) + 1) / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void shardsOfTheEngine(int shards) throws Exception {
    int histories = (Proof.count("t10.histories", HISTORIES) + 7) / 8;
    check(shards + " shards", random -> new ShardWorld(shards, random), histories);
  }

  /** A history of a store that is not linearizable is rejected, every time. */
  @ParameterizedTest
  @EnumSource
  void rejectsHistoriesOf(BrokenRegisters bug) throws Exception {
    int kinds = BrokenRegisters.values().length;
    int histories = (Proof.count("t10.bugs", BUGS) + kinds - 1) / kinds;
    SplittableRandom seeds = new SplittableRandom(Proof.seed("T10"));
    for (int i = 0; i < histories; i++) {
      long seed = seeds.nextLong();
      boolean sound = true;
      for (KeyHistory key : new HistoryRun(new BrokenWorld(bug), null, seed).run()) {
        sound &= key.isLinearizable();
      }
      assertThat(sound).as("history %s of %s, seed %s", i, bug, seed).isFalse();
    }
    Proof.ran("T10", "rejected histories", histories);
  }

  /** The other clients may reach the end of a round before or after the failure. */
  @ParameterizedTest
  @ValueSource(ints = {1, 50, 199})
  void reportsTheFailureOfAClient(int call) {
    AtomicInteger calls = new AtomicInteger();
    HistoryRun.World world = new BrokenWorld(BrokenRegisters.STALE_READ) {
      @Override
      public KvStore store() {
        if (calls.incrementAndGet() == call) {
          throw new IllegalStateException("call " + call);
        }
        return super.store();
      }
    };
    assertThatThrownBy(() -> new HistoryRun(world, null, Proof.seed("T10")).run())
        .hasRootCauseMessage("call " + call);
  }

  /** A broken store that is never reopened. */
  private static class BrokenWorld implements HistoryRun.World {

    private final KvStore store;

    BrokenWorld(BrokenRegisters bug) {
      store = bug.open();
    }

    @Override
    public KvStore store() {
      return store;
    }

    @Override
    public boolean mayFail() {
      return true;
    }

    @Override
    public void maintain(SplittableRandom random) {
      store.flush();
    }

    @Override
    public void crash(Crash crash, SplittableRandom random) {
      throw new UnsupportedOperationException("a broken store is not crashed");
    }

    @Override
    public void reopen(SplittableRandom random) {
      // A broken store stays open.
    }
  }
}
