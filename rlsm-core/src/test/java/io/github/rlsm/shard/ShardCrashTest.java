// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Crashes of sharded stores over a model of another engine, which keeps no more than the interface
 * promises.
 *
 * <p>The system property {@code rlsm.t1.shards} sets the number of crashes, {@value #POINTS} by
 * default. A failure names its history; {@code rlsm.t1.history} runs this history alone.
 *
 * <p>Guards invariant I-9 of ARCHITECTURE.md.
 */
class ShardCrashTest {

  private static final int POINTS = 2_000;
  private static final String HISTORY = "rlsm.t1.history";
  private static final int STEPS_MAX = 60;
  private static final int CLIENT_STEPS = 60;

  @Test
  void survivesCrashes() {
    Long history = Long.getLong(HISTORY);
    if (history != null) {
      assertThat(crash(history)).isPositive();
      return;
    }
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    int goal = Proof.count("t1.shards", POINTS);
    long points = 0;
    while (points < goal) {
      points += crash(seeds.nextLong());
    }
    Proof.ran("T1", "crash points over a model of shards", points);
  }

  /** Crashes a short history at every event. */
  @Test
  void survivesCrashesAtEveryEvent() {
    long seed = TestSeed.get();
    String name = "3 shards, " + TestSeed.howToReplay(seed);
    assertThat(new ShardCrashRun(new PrefixShards(3), 3, 1, seed, name).run(25)).isPositive();
  }

  /** Each run has new clients and several crashes. */
  @Test
  void survivesCrashesAmongClients() throws Exception {
    SplittableRandom seeds = new SplittableRandom(TestSeed.get());
    int goal = Proof.count("t1.shards", POINTS) / 4;
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
    String name = shards + " shards, replay this history with -D" + HISTORY + "=" + seed;
    return new ShardCrashRun(new PrefixShards(shards), shards, 4, random.nextLong(), name)
        .run(1 + random.nextInt(STEPS_MAX));
  }
}
