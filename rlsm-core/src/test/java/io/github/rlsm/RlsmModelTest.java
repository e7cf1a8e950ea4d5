// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelCheck;
import io.github.rlsm.kv.OpMix;
import io.github.rlsm.kv.StoreFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories under many sets of options, compared with the model: on a simulated directory
 * with all work in one thread, and on the real file system with real threads.
 *
 * <p>The system property {@code rlsm.model.seeds} says how many histories each set of options gets,
 * {@value #SEEDS} unless it is set.
 */
class RlsmModelTest {

  private static final int SEEDS = 9;
  private static final int OPERATIONS = 800;

  @TempDir
  Path directory;

  private static int seeds() {
    return Integer.getInteger("rlsm.model.seeds", SEEDS);
  }

  /** The usual mix, and now and then a while in which nobody writes. */
  private static OpMix mix(Simulated simulated) {
    return mix().engineOperation("idle", 20, store -> simulated.idle());
  }

  private static OpMix mix() {
    return OpMix.usual()
        .operations(OPERATIONS)
        .keys(200)
        .largeValueBytes(5_000)
        .engineOperation("settle", 12, store -> ((RlsmStore) store).settle())
        .engineOperation("collect", 8, store -> ((RlsmStore) store).collect())
        .engineOperation("verify", 6, store -> ((RlsmStore) store).verify());
  }

  @ParameterizedTest
  @EnumSource(TinyOptions.class)
  void agreesWithTheModelInOneThread(TinyOptions options) {
    Simulated simulated = new Simulated(options);
    new ModelCheck("simulated, " + options, simulated, mix(simulated)).run(directory, seeds());
  }

  @ParameterizedTest
  @EnumSource(TinyOptions.class)
  void agreesWithTheModelInThreads(TinyOptions options) {
    StoreFactory factory = path -> RlsmStore.open(path, onDisk(options.options(), path));
    new ModelCheck("file system, " + options, factory, mix())
        .run(directory, Math.max(1, seeds() / 3));
  }

  /** With a file beside the store for its log device, made when the store is. */
  private static RlsmOptions onDisk(RlsmOptions options, Path store) {
    if (options.directLog().isEmpty()) {
      return options;
    }
    Path device = store.resolveSibling(store.getFileName() + ".device");
    if (!Files.exists(store)) {
      LogDevice.at(device).init(4 * LogDevice.BYTES_MIN, Set.of("rlsm"));
    }
    Map<String, String> properties = options.toProperties();
    properties.put("directLog", device.toString());
    return RlsmOptions.fromProperties(properties);
  }

  @ParameterizedTest
  @EnumSource(TinyOptions.class)
  void agreesWithTheModelInThreadsOverMemory(TinyOptions options) {
    Simulated simulated = new Simulated(options);
    simulated.threads = true;
    new ModelCheck("threads over memory, " + options, simulated, mix())
        .run(directory, Math.max(1, seeds() / 3));
  }

  @Test
  void everythingHappens() {
    Set<LevelWatch.Change> seen = EnumSet.noneOf(LevelWatch.Change.class);
    for (TinyOptions options : TinyOptions.values()) {
      Simulated simulated = new Simulated(options);
      ModelCheck check = new ModelCheck("simulated, " + options, simulated, mix());
      check.runSeed(directory, options.ordinal());
      Set<LevelWatch.Change> now = simulated.watch.counts().keySet();
      assertThat(now).as("%s", options).contains(LevelWatch.Change.FLUSH);
      seen.addAll(now);
    }
    assertThat(seen).containsExactlyInAnyOrder(LevelWatch.Change.values());
  }

  /** Opens stores in simulated directories, one for each path. */
  private static final class Simulated implements StoreFactory {

    private final TinyOptions options;
    private final LevelWatch watch = new LevelWatch();
    private final Set<Path> known = new HashSet<>();
    private InlineScheduler scheduler = new InlineScheduler();
    private boolean threads;
    private SimulatedDirectory files = new SimulatedDirectory();
    private long opened;
    private long clock;

    Simulated(TinyOptions options) {
      this.options = options;
    }

    @Override
    public KvStore open(Path path) {
      if (known.add(path)) {
        files = options.directory();
        files.holeBytes(known.size() % 2 == 0 ? 16 : 4096);
        if (!threads) {
          watch.watch(files);
        }
      }
      opened++;
      scheduler = new InlineScheduler();
      // Of every second store, values are in no cache, so that scans put them in order.
      long nanosPerCall = opened % 2 * 30_000;
      Environment environment =
          new Environment(() -> clock += nanosPerCall, new SplittableRandom(opened), scheduler);
      if (threads) {
        environment = new Environment(
            System::nanoTime, environment.random(), new ThreadScheduler("model", 1));
      }
      return RlsmStore.open(files, options.options(), environment);
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
