// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.ConcurrentShardCrashRun;
import io.github.rlsm.shard.ShardCrashRun;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * T1 of the test plan for sharded stores over the engine: crashes at the I/O events of all shards.
 *
 * <p>The system property {@code rlsm.t1.shards} sets the number of crashes, {@value #POINTS} by
 * default. A failure names its history; {@code rlsm.t1.history} runs this history alone.
 *
 * <p>Guards invariant I-11 of ARCHITECTURE.md.
 */
class ShardedEngineCrashTest {

  private static final int POINTS = 700;
  private static final String HISTORY = "rlsm.t1.history";
  private static final int STEPS_MAX = 40;
  private static final int CLIENT_STEPS = 60;
  private static final int[] SHARDS = {1, 2, 2, 2, 3, 3, 3, 4, 8};

  @Test
  void survivesCrashes() {
    Long history = Long.getLong(HISTORY);
    if (history != null) {
      assertThat(crash(history, EngineShards.Bug.NONE)).isPositive();
      return;
    }
    int points = Proof.count("t1.shards", POINTS);
    crashes(points, EngineShards.Bug.NONE);
    Proof.ran("T1", "crash points over shards", points);
  }

  /** Checks the given number of crashes, of an engine with a bug. */
  static void crashes(long goal, EngineShards.Bug bug) {
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    for (long points = 0; points < goal; ) {
      points += crash(seeds.nextLong(), bug);
    }
  }

  /** Crashes a short history at every event. */
  @Test
  void survivesCrashesAtEveryEvent() {
    long seed = TestSeed.get();
    for (boolean keepsParts : new boolean[] {true, false}) {
      String name = "3 shards, " + way(keepsParts) + ", " + TestSeed.howToReplay(seed);
      EngineShards world = new EngineShards(TinyOptions.ROOMY, 3, keepsParts);
      assertThat(new ShardCrashRun(world, 3, 1, seed, name).run(6)).isPositive();
    }
  }

  /**
   * Runs clients, workers and background threads at once, so the seed of a failure may not
   * reproduce it.
   */
  @Test
  void survivesCrashesAmongClients() throws Exception {
    int points = Proof.count("t1.shards", POINTS) / 2;
    crashesAmongClients(points, EngineShards.Bug.NONE);
    Proof.ran("T1", "crash points over shards", points);
  }

  /** Checks the given number of crashes, of an engine with a bug. */
  static void crashesAmongClients(long goal, EngineShards.Bug bug) throws Exception {
    SplittableRandom random = new SplittableRandom(TestSeed.get());
    for (long points = 0; points < goal; ) {
      int shards = SHARDS[random.nextInt(SHARDS.length)];
      boolean keepsParts = bug != EngineShards.Bug.NONE || random.nextInt(4) > 0;
      TinyOptions options = TinyOptions.values()[random.nextInt(TinyOptions.values().length)];
      String name = shards + " shards, " + way(keepsParts) + ", " + options;
      EngineShards world = new EngineShards(options, shards, keepsParts, bug);
      if (random.nextBoolean()) {
        world.withThreads();
      }
      points +=
          new ConcurrentShardCrashRun(world, shards, 40, random.nextLong(), name).run(CLIENT_STEPS);
    }
  }

  private static long crash(long seed, EngineShards.Bug bug) {
    SplittableRandom random = new SplittableRandom(seed);
    int shards = SHARDS[random.nextInt(SHARDS.length)];
    boolean keepsParts = random.nextInt(4) > 0;
    TinyOptions options = TinyOptions.values()[random.nextInt(TinyOptions.values().length)];
    String name = shards + " shards, " + way(keepsParts) + ", " + options
        + ", replay this history with -D" + HISTORY + "=" + seed;
    EngineShards world = new EngineShards(options, shards, keepsParts, bug);
    try {
      return new ShardCrashRun(world, shards, 12, random.nextLong(), name)
          .run(1 + random.nextInt(STEPS_MAX));
    } catch (RuntimeException e) {
      throw new AssertionError(name + ": " + e, e);
    }
  }

  private static String way(boolean keepsParts) {
    return keepsParts ? "parts" : "redo";
  }
}
