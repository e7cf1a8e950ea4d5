// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.it.CrashRun.Death;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Chains of kills for one test, with random deaths and stores.
 *
 * <p>Threads: one.
 */
final class KillRuns {

  /** The kind of store that the children write to. */
  enum Place {
    ONE_STORE(false),
    SHARDS(false),
    /** With the log on log devices; usually one store without shards. */
    ON_DEVICE(true),
    ONE_STORE_ON_DEVICE(true);

    private final boolean onDevice;

    Place(boolean onDevice) {
      this.onDevice = onDevice;
    }

    private int shards(Random random) {
      return switch (this) {
        case ONE_STORE, ONE_STORE_ON_DEVICE -> 0;
        case SHARDS -> 1 + random.nextInt(4);
        case ON_DEVICE -> random.nextInt(4) == 0 ? 2 : 0;
      };
    }
  }

  private static final long NEVER = Long.MAX_VALUE;
  private static final int LONGEST_CHAIN = 12;
  private static final int KILLS = 50;

  /** Kills in addition to the planned ones, until enough recoveries needed the ring. */
  private static final int MORE_KILLS_MAX = 100;

  /** One chain of so many is on the disk. The others are in memory. */
  private static final int CHAINS_BETWEEN_DISK = 4;

  private final long seed = TestSeed.get();
  private final Random random = new Random(seed);
  private final Path temporary;
  private final Place place;
  private final boolean loses;

  /** Runs out of ten that halt at a file operation. The others die by SIGKILL. */
  private int haltsOfTen;

  /** Kills of which one must need the ring; 0 if none must. */
  private int killsForOneRing;

  /**
   * Creates runs in a directory.
   *
   * @param loses see {@link CrashRun}
   */
  KillRuns(Path temporary, Place place, boolean loses) {
    this.temporary = temporary;
    this.place = place;
    this.loses = loses;
    haltsOfTen = place == Place.ONE_STORE && !loses ? 0 : 3;
  }

  /** Makes all children halt at a file-changing call. */
  KillRuns halting() {
    haltsOfTen = 10;
    return this;
  }

  /**
   * Requires that one recovery of ten needs the ring. Whether one does depends on how far the child
   * came, so a short run adds kills until it had enough.
   */
  KillRuns needingRing() {
    killsForOneRing = 10;
    return this;
  }

  /**
   * Kills children and checks the files that they leave.
   *
   * @param percent number of kills, in percent of {@code rlsm.t7.kills}
   */
  void run(String what, int percent) throws IOException, InterruptedException {
    int times = Math.max(1, Proof.count("t7.kills", KILLS) * percent / 100);
    CrashStatistics figures = new CrashStatistics();
    MemoryDisk memory = MemoryDisk.create();
    try {
      for (int chain = 0; goesOn(figures, times); chain++) {
        // Log devices stay on the disk: they use direct I/O.
        boolean onDisk = place.onDevice || chain % CHAINS_BETWEEN_DISK == 0;
        Path directory = (onDisk ? temporary : memory.or(temporary)).resolve("store");
        CrashRun.deleteAll(directory);
        CrashRun run =
            new CrashRun(directory, place.shards(random), place.onDevice, loses, random, figures);
        for (int i = random.nextInt(LONGEST_CHAIN); i >= 0 && goesOn(figures, times); i--) {
          run.crash(random.nextInt(10) < haltsOfTen ? halted() : killed());
        }
      }
    } catch (AssertionError e) {
      throw new AssertionError(
          figures.crashes + " crashes survived; " + TestSeed.howToReplay(seed), e);
    }
    memory.delete();
    figures.report(what);
    assertThat(figures.ringsNeeded).isGreaterThanOrEqualTo(ringsFor(times));
  }

  private int ringsFor(int kills) {
    return killsForOneRing == 0 ? 0 : kills / killsForOneRing;
  }

  private boolean goesOn(CrashStatistics figures, int times) {
    return figures.crashes < times
        || (figures.ringsNeeded < ringsFor(times) && figures.crashes < times + MORE_KILLS_MAX);
  }

  private Death killed() {
    return random.nextInt(5) == 0
        ? new Death(NEVER, NEVER, OptionalLong.of(random.nextInt(150_000)))
        : new Death(
            NEVER, 1 + (1L << random.nextInt(13)) * random.nextInt(3), OptionalLong.empty());
  }

  private Death halted() {
    return new Death(
        1 + random.nextInt(random.nextBoolean() ? 25 : 300), 8_000, OptionalLong.empty());
  }
}
