// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelCheck;
import io.github.rlsm.kv.OpKind;
import io.github.rlsm.kv.OpMix;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.proof.Proof;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories compared with the model: on a simulated directory with all work in one thread,
 * on one with threads, and on the real file system. Every opening draws new options. In simulated
 * directories processes are killed and machines lose power. After a crash the store must hold the
 * state after one of the writes, and every {@code SYNC} write.
 *
 * <p>The system property {@code rlsm.t9.seeds} sets the number of histories in one thread,
 * {@value #SEEDS} by default. For each {@value #THREADS_SHARE} of them there is one with threads,
 * and for each {@value #DISK_SHARE} there is one on the real file system.
 */
class RlsmModelTest {

  private static final int SEEDS = 200;
  private static final int THREADS_SHARE = 20;
  private static final int DISK_SHARE = 100;
  private static final int OPERATIONS = 2_000;

  /** Where failing histories are stored. */
  private static final Path FAILURES = Path.of("target", "failed-histories");

  @TempDir
  Path directory;

  private static OpMix mix() {
    return OpMix.usual()
        .operations(OPERATIONS)
        .keys(200)
        .largeValueBytes(2_000)
        .engineFlush("settle", 6, store -> ((RlsmStore) store).settle())
        .engineFlush("collect", 4, store -> ((RlsmStore) store).collect())
        .engineOperation("verify", 3, store -> ((RlsmStore) store).verify());
  }

  private static OpMix mixWithCrashes() {
    return mix().weight(OpKind.KILL, 2).weight(OpKind.POWER_LOSS, 3);
  }

  /** Returns the mix with crashes and occasional pauses without writes. */
  static OpMix mix(SimulatedStores simulated) {
    return mixWithCrashes().engineOperation("idle", 20, store -> simulated.idle());
  }

  private void run(String name, StoreFactory factory, OpMix mix, int histories) {
    Proof.seed("T9");
    new ModelCheck(name, factory, mix).storeFailuresIn(FAILURES).run(directory, histories);
    Proof.ran("T9", "histories", histories);
  }

  private static int seeds() {
    return Proof.count("t9.seeds", SEEDS);
  }

  private static int seeds(int share) {
    return (seeds() + share - 1) / share;
  }

  @Test
  void agreesWithTheModelInOneThread() {
    SimulatedStores simulated = new SimulatedStores(false);
    run("simulated, one thread", simulated, mix(simulated), seeds());
  }

  @Test
  void agreesWithTheModelInThreadsOverMemory() {
    run("simulated, threads", new SimulatedStores(true), mixWithCrashes(), seeds(THREADS_SHARE));
  }

  @Test
  void agreesWithTheModelInThreads() {
    run("file system", new OnDisk(), mix(), seeds(DISK_SHARE));
  }

  /** Checks that such histories exercise every change of the levels. */
  @Test
  void historiesExerciseEveryChangeOfTheLevels() {
    Set<LevelWatch.Change> seen = EnumSet.noneOf(LevelWatch.Change.class);
    for (TinyOptions options : TinyOptions.values()) {
      SimulatedStores simulated = new SimulatedStores(options);
      OpMix mix = mix().operations(OPERATIONS / 4);
      new ModelCheck("watched, " + options, simulated, mix).runSeed(directory, options.ordinal());
      Set<LevelWatch.Change> now = simulated.watch().counts().keySet();
      assertThat(now).as("%s", options).contains(LevelWatch.Change.FLUSH);
      seen.addAll(now);
    }
    assertThat(seen).containsExactlyInAnyOrder(LevelWatch.Change.values());
  }

  /** Opens stores on the real file system, with files as log devices. */
  private static final class OnDisk implements StoreFactory {

    @Override
    public KvStore open(Path store) {
      return open(store, opening(0));
    }

    @Override
    public String opening(long seed) {
      return DrawnStore.draw(seed).toString();
    }

    @Override
    public KvStore open(Path store, String opening) {
      if (!Files.exists(store)) {
        RandomOptions.DEVICES.forEach(name ->
            LogDevice.at(device(store, name)).init(4 * LogDevice.BYTES_MIN, Set.of("rlsm")));
      }
      RlsmOptions drawn = DrawnStore.parse(opening).options();
      Map<String, String> options = drawn.toProperties();
      drawn
          .directLog()
          .ifPresent(
              path -> options.put("directLog", device(store, path.toString()).toString()));
      return RlsmStore.open(store, RlsmOptions.fromProperties(options));
    }

    private static Path device(Path store, String name) {
      return store.resolveSibling(store.getFileName() + name.replace('/', '-'));
    }
  }
}
