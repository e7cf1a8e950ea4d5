// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelCheck;
import io.github.rlsm.kv.OpKind;
import io.github.rlsm.kv.OpMix;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
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
  private static OpMix mix(Simulated simulated) {
    return mixWithCrashes().engineOperation("idle", 20, store -> simulated.idle());
  }

  private void run(String name, StoreFactory factory, OpMix mix, int histories) {
    Proof.seed("T9");
    new ModelCheck(name, factory, mix).run(directory, histories);
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
    Simulated simulated = new Simulated(false);
    run("simulated, one thread", simulated, mix(simulated), seeds());
  }

  @Test
  void agreesWithTheModelInThreadsOverMemory() {
    run("simulated, threads", new Simulated(true), mixWithCrashes(), seeds(THREADS_SHARE));
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
      Simulated simulated = new Simulated(options);
      OpMix mix = mix().operations(OPERATIONS / 4);
      new ModelCheck("watched, " + options, simulated, mix).runSeed(directory, options.ordinal());
      Set<LevelWatch.Change> now = simulated.watch.counts().keySet();
      assertThat(now).as("%s", options).contains(LevelWatch.Change.FLUSH);
      seen.addAll(now);
    }
    assertThat(seen).containsExactlyInAnyOrder(LevelWatch.Change.values());
  }

  /** Opens stores on the real file system, with files as log devices. */
  private static final class OnDisk implements StoreFactory {

    @Override
    public KvStore open(Path store) {
      return open(store, 0);
    }

    @Override
    public KvStore open(Path store, long seed) {
      if (!Files.exists(store)) {
        RandomOptions.DEVICES.forEach(name ->
            LogDevice.at(device(store, name)).init(4 * LogDevice.BYTES_MIN, Set.of("rlsm")));
      }
      RlsmOptions drawn = RandomOptions.draw(new SplittableRandom(seed));
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

  /** Opens a store in a simulated directory. */
  private static final class Simulated implements StoreFactory {

    private final boolean threads;
    private final @Nullable TinyOptions always;
    private final LevelWatch watch = new LevelWatch();
    private InlineScheduler scheduler = new InlineScheduler();
    private SimulatedDirectory files = new SimulatedDirectory();
    private Path opened = Path.of("");
    private long clock;

    /** Draws new options for each opening. */
    Simulated(boolean threads) {
      this.threads = threads;
      this.always = null;
    }

    /** Uses the same options for each opening, and counts changes of the levels. */
    Simulated(TinyOptions always) {
      this.threads = false;
      this.always = always;
    }

    @Override
    public KvStore open(Path path) {
      return open(path, 0);
    }

    @Override
    public KvStore open(Path path, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      if (!opened.equals(path)) {
        opened = path;
        files = always == null ? RandomOptions.directory(random) : always.directory();
      }
      return open(random);
    }

    private KvStore open(SplittableRandom random) {
      if (always != null) {
        watch.watch(files);
      }
      RlsmOptions options = always == null ? RandomOptions.draw(random) : always.options();
      return RlsmStore.open(files, options, environment(random));
    }

    private Environment environment(SplittableRandom random) {
      if (threads) {
        return new Environment(System::nanoTime, random.split(), new ThreadScheduler("model", 1));
      }
      scheduler = new InlineScheduler();
      // In every second store, reads of values are slow, so that scans have them put in key order.
      long nanosPerCall = random.nextInt(2) * 30_000L;
      return new Environment(() -> clock += nanosPerCall, random.split(), scheduler);
    }

    @Override
    public KvStore crash(Path path, KvStore store, Crash crash, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
      files = crash == Crash.KILL ? files.kill() : files.crash(style, random.nextLong());
      if (threads) {
        endThreads(store);
      }
      return open(random);
    }

    private static void endThreads(KvStore dead) {
      try {
        dead.close();
      } catch (KvException e) {
        // The directory of a dead process does nothing.
      }
    }

    void idle() {
      scheduler.elapse();
      scheduler.elapse();
    }

    @Override
    public void checkClosed(Path path) {
      assertThat(files.openHandles()).isEmpty();
    }
  }
}
