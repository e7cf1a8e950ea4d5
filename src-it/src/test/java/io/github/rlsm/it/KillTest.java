// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.CrashRun.Death;
import io.github.rlsm.kv.TestSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes die at any moment, and nothing they acknowledged is lost: the state is a gap-free
 * prefix of what each thread wrote, with at most the operation that was under way beyond what was
 * acknowledged, and batches are whole.
 *
 * <p>{@code rlsm.kills}, {@code rlsm.halts}, {@code rlsm.shard.kills} and {@code rlsm.device.kills}
 * say how often. What a failed test leaves in its temporary directory is kept.
 */
class KillTest {

  private static final long NEVER = Long.MAX_VALUE;
  private static final int LONGEST_CHAIN = 12;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  /** By SIGKILL: most after some operations, some while the store is being opened. */
  @Test
  void killedProcessesLoseNothing() throws Exception {
    Random random = new Random(seed);
    crash(Integer.getInteger("rlsm.kills", 50), () -> 0, false, random, () -> killed(random));
  }

  /** At a call that changes files: in recovery, or later in a flush, a compaction or a switch. */
  @Test
  void processesThatDieAtAFileOperationLoseNothing() throws Exception {
    Random random = new Random(seed);
    crash(Integer.getInteger("rlsm.halts", 20), () -> 0, false, random, () -> halted(random));
  }

  /** As the others, a store of several shards, with batches over them. */
  @Test
  void killedProcessesLoseNothingOfShards() throws Exception {
    Random random = new Random(seed);
    crash(
        Integer.getInteger("rlsm.shard.kills", 12),
        () -> 1 + random.nextInt(4),
        false,
        random,
        () -> random.nextInt(3) == 0 ? halted(random) : killed(random));
  }

  /** As the others, with the log on a device that is a file. */
  @Test
  void killedProcessesLoseNothingOfADirectLog() throws Exception {
    Random random = new Random(seed);
    crash(
        Integer.getInteger("rlsm.device.kills", 16),
        () -> random.nextInt(4) == 0 ? 2 : 0,
        true,
        random,
        () -> random.nextInt(3) == 0 ? halted(random) : killed(random));
  }

  private static Death killed(Random random) {
    return random.nextInt(5) == 0
        ? new Death(NEVER, NEVER, OptionalLong.of(random.nextInt(150_000)))
        : new Death(
            NEVER, 1 + (1L << random.nextInt(13)) * random.nextInt(3), OptionalLong.empty());
  }

  private static Death halted(Random random) {
    return new Death(
        1 + random.nextInt(random.nextBoolean() ? 25 : 300), 8_000, OptionalLong.empty());
  }

  private final long seed = TestSeed.get();

  private void crash(
      int times, IntSupplier shards, boolean onDevice, Random random, Supplier<Death> deaths)
      throws IOException, InterruptedException {
    CrashFigures figures = new CrashFigures();
    Path directory = temporary.resolve("store");
    try {
      while (figures.crashes < times) {
        CrashRun.deleteAll(directory);
        CrashRun run = new CrashRun(directory, shards.getAsInt(), onDevice, random, figures);
        for (int i = random.nextInt(LONGEST_CHAIN); i >= 0 && figures.crashes < times; i--) {
          run.crash(deaths.get());
        }
      }
    } catch (AssertionError e) {
      throw new AssertionError(
          figures.crashes + " crashes survived; " + TestSeed.howToReplay(seed), e);
    }
    System.out.println(getClass().getSimpleName() + ": " + figures);
  }
}
