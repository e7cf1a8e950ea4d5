// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static io.github.rlsm.log.LogFixture.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever happens to the bytes of a log: a prefix of its history is found, or damage. */
class LogDamageTest {

  private static final List<String> FILES =
      List.of("wal-00000001.log", "val-00000001.log", "wal-00000002.log", "val-00000002.log");

  private static final List<CrashStyle> STYLES = List.of(CrashStyle.values());

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final LogFixture log = written();

  /** Two generations, both streams, every kind of record, promises that say what sync would. */
  private LogFixture written() {
    return new LogFixture(directory)
        .put(false, "\0a", "1", NOTHING)
        .put(true, "\0b", "22222222", 3)
        .delete("\0a", 3)
        .voidPut(false, "\0v", "void")
        .batch(true, NOTHING, "\0c=3", "\0d", "\0e=")
        .next()
        .batch(false, 8, "\0f=4", "\0a=5")
        .put(true, "\0g", "6", NOTHING)
        .put(false, "\0h", "", 10);
  }

  /** Recovers, and holds the result to the history. Returns whether all of it was found. */
  private boolean check(SimulatedDirectory damaged, String where) {
    Replay replay;
    try {
      replay = LogFixture.replay(damaged);
    } catch (CorruptionException | FormatVersionException e) {
      assertThat(damaged.openHandles()).as(where).isEmpty();
      return false;
    }
    if (!log.isPrefix(replay.entries)) {
      fail(where + ": found " + replay.entries);
    }
    return replay.entries.equals(log.said());
  }

  @Test
  void cutAtEveryByte() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int length = 0; length < 400; length++) {
        SimulatedDirectory cut = directory.afterKill();
        cut.replace(file, Arrays.copyOf(whole, length));
        check(cut, file + " cut to " + length);
      }
    }
  }

  @Test
  void zeroFromEveryByteOn() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int length = 0; length < 400; length++) {
        SimulatedDirectory torn = directory.afterKill();
        torn.replace(file, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
        check(torn, file + " zero from " + length);
      }
    }
  }

  @Test
  void everyBitFlipped() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int bit = 0; bit < 400 * Byte.SIZE; bit++) {
        SimulatedDirectory flipped = directory.afterKill();
        byte[] bytes = whole.clone();
        bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        flipped.replace(file, bytes);
        check(flipped, file + " bit " + bit);
      }
    }
  }

  @Test
  void everyByteReplaced() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int offset = 0; offset < 400; offset++) {
        for (int value : new int[] {0, 1, 0x7F, 0xFF}) {
          SimulatedDirectory replaced = directory.afterKill();
          byte[] bytes = whole.clone();
          bytes[offset] = (byte) value;
          replaced.replace(file, bytes);
          check(replaced, file + " byte " + offset + " = " + value);
        }
      }
    }
  }

  /** What a promise covers is not lost in silence: the last one here covers the seqnos below 10. */
  @Test
  void damageBelowAPromiseIsReported() {
    byte[] whole = directory.bytes(FILES.get(0));
    for (int offset = 0; offset < 64 + 24; offset++) {
      SimulatedDirectory flipped = directory.afterKill();
      byte[] bytes = whole.clone();
      bytes[offset] ^= 1;
      flipped.replace(FILES.get(0), bytes);
      boolean isPadding = offset >= 64 + 21;
      assertThat(check(flipped, "byte " + offset)).as("byte " + offset).isEqualTo(isPadding);
      if (!isPadding) {
        SimulatedDirectory again = directory.afterKill();
        again.replace(FILES.get(0), bytes);
        assertThat(isReported(again)).as("byte " + offset).isTrue();
      }
    }
  }

  private static boolean isReported(SimulatedDirectory damaged) {
    try {
      LogFixture.replay(damaged);
      return false;
    } catch (CorruptionException | FormatVersionException e) {
      return true;
    }
  }

  /** Power losses one after the other, with writes and forces in between. */
  @Test
  void crashAfterCrashOnlyUnforcedRecordsAreLost() {
    long seed = TestSeed.get();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 150; round++) {
      SimulatedDirectory disk = new SimulatedDirectory();
      List<String> expected = List.of();
      for (int life = 0; life < 4; life++) {
        expected = liveAndCrash(disk, expected, random, seed);
        disk = survivor;
      }
    }
  }

  private SimulatedDirectory survivor = directory;

  /** Recovers {@code disk}, writes, forces, loses power. Returns what must be found then. */
  private List<String> liveAndCrash(
      SimulatedDirectory disk, List<String> forcedBefore, SplittableRandom random, long seed) {
    Replay found = LogFixture.replay(disk);
    assertThat(found.entries.stream().limit(forcedBefore.size()).toList())
        .as(TestSeed.howToReplay(seed))
        .isEqualTo(forcedBefore);
    LogFixture life = new LogFixture(disk);
    life.history.add(found.entries);
    int forced = 0;
    long durable = life.recovered.generations().isEmpty() ? life.recovered.endSeqno() : 0;
    for (int i = random.nextInt(12); i > 0; i--) {
      long promise = random.nextInt(3) == 0 ? durable : NOTHING;
      life.put(random.nextBoolean(), "\0k" + i, "v".repeat(random.nextInt(300)), promise);
      if (random.nextInt(4) == 0) {
        force(life);
        durable = life.generation.endSeqno();
        forced = life.history.size();
      }
    }
    CrashStyle style = STYLES.get(random.nextInt(STYLES.size()));
    survivor = disk.crash(style, random.nextLong());
    return life.said(forced);
  }

  private static void force(LogFixture life) {
    life.recovered.generations().forEach(generation -> generation.force(Long.MAX_VALUE));
    life.generation.force(life.generation.endSeqno());
  }
}
