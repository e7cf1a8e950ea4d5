// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.ConcurrentShardCrashRun;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * T1 of the test plan, with several threads that write to one engine while others flush and
 * compact. The power fails at I/O events and in the middle of writes.
 *
 * <p>The system property {@code rlsm.t1.writers} sets the number of crashes, {@value #POINTS} by
 * default. The interleaving of threads is random, so the seed of a failure may not reproduce it.
 */
class RlsmWritersCrashTest {

  private static final int POINTS = 500;
  private static final int STEPS = 100;
  private static final int CRASH_EVERY = 30;

  @Test
  void survivesCrashesAmongWriters() throws Exception {
    SplittableRandom random = new SplittableRandom(Proof.seed("T1"));
    int goal = Proof.count("t1.writers", POINTS);
    long points = 0;
    while (points < goal) {
      TinyOptions options = TinyOptions.values()[random.nextInt(TinyOptions.values().length)];
      long seed = random.nextLong();
      String name = options + ", seed " + seed;
      points += new ConcurrentShardCrashRun(new OneEngine(options), 1, CRASH_EVERY, seed, name)
          .run(STEPS);
    }
    Proof.ran("T1", "crash points among writers", points);
  }
}
