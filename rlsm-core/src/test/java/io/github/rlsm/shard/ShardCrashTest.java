// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.TestSeed;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Crashes of sharded stores over a model of any other engine, the most forgetful one there may be.
 *
 * <p>The system property {@code rlsm.shard.points} says how many crashes are checked,
 * {@value #POINTS} unless it is set. A failure names the seed of its history.
 */
class ShardCrashTest {

  private static final long POINTS = 2_000;
  private static final int STEPS_MAX = 60;
  private static final int CLIENT_STEPS = 60;

  @Test
  void survivesCrashes() {
    OptionalLong replay = TestSeed.toReplay();
    if (replay.isPresent()) {
      assertThat(crash(replay.getAsLong())).isPositive();
      return;
    }
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    long goal = Long.getLong("rlsm.shard.points", POINTS);
    for (long points = 0; points < goal; ) {
      points += crash(seeds.nextLong());
    }
  }

  /** Of a short history no event is left out. */
  @Test
  void survivesCrashesAtEveryEvent() {
    long seed = TestSeed.get();
    String name = "3 shards, " + TestSeed.howToReplay(seed);
    assertThat(new ShardCrashRun(new PrefixShards(3), 3, 1, seed, name).run(25)).isPositive();
  }

  /** Every run has clients of its own, and some crashes. */
  @Test
  void survivesCrashesAmongClients() throws Exception {
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    long goal = Long.getLong("rlsm.shard.points", POINTS) / 4;
    for (long points = 0; points < goal; ) {
      long seed = seeds.nextLong();
      int shards = 1 + seeds.nextInt(4);
      String name = shards + " shards, " + seed;
      points += new ConcurrentShardCrashRun(new PrefixShards(shards), shards, 20, seed, name)
          .run(CLIENT_STEPS);
    }
  }

  private static long crash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int shards = 1 + random.nextInt(4);
    String name = shards + " shards, " + TestSeed.howToReplay(seed);
    return new ShardCrashRun(new PrefixShards(shards), shards, 4, random.nextLong(), name)
        .run(1 + random.nextInt(STEPS_MAX));
  }
}
