// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static io.github.rlsm.log.LogFixture.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Damages bytes of a log: recovery finds exactly the prefix before the damage, or reports it. */
class LogDamageTest {

  private static final List<String> FILES =
      List.of("wal-00000001.log", "val-00000001.log", "wal-00000002.log", "val-00000002.log");

  /** An upper bound of the end of the records in each file. */
  private static final int BYTES = 400;

  private static final List<CrashStyle> STYLES = List.of(CrashStyle.values());

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final LogFixture log = written();

  /**
   * Two generations, both streams, every kind of record, with the promises that a sync would allow.
   */
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

  /**
   * Replaces a file, recovers, and checks the result against the rules. Recovery finds exactly the
   * records before the first lost one, or it reports damage. It may report damage only in two
   * cases: a sound record promises that a lost one was durable, or the header of a segment is
   * damaged.
   *
   * @return whether damage was reported
   */
  private boolean check(String file, byte[] bytes, String where) {
    byte[] whole = directory.bytes(file);
    SimulatedDirectory damaged = directory.afterKill();
    damaged.replace(file, bytes);
    boolean headLost = isChanged(whole, bytes, 0, SegmentLayout.BYTES);
    List<LogFixture.Place> sound = new ArrayList<>();
    int first = log.places.size();
    for (int i = log.places.size() - 1; i >= 0; i--) {
      LogFixture.Place place = log.places.get(i);
      if (isLost(place, file, whole, bytes, headLost)) {
        first = i;
      } else {
        sound.add(place);
      }
    }
    LogFixture.Place lost = first < log.places.size() ? log.places.get(first) : null;
    if (headLost) {
      // Both segments of the generation are unreadable.
      first = firstOf(generationOf(file));
      lost = log.places.get(first);
    }
    long end = lost == null ? Long.MAX_VALUE : lost.seqno();
    boolean isBroken = sound.stream().anyMatch(place -> place.promise() > end);
    try {
      Replay replay = LogFixture.replay(damaged);
      assertThat(replay.entries).as(where).isEqualTo(log.said(first));
      assertThat(isBroken).as(where + ": a broken promise must be reported").isFalse();
      return false;
    } catch (CorruptionException | FormatVersionException e) {
      assertThat(isBroken || headLost).as(where + ": " + e).isTrue();
      if (!headLost) {
        LogFixture.Place place = lost;
        assertThat(e).as(where).isInstanceOfSatisfying(CorruptionException.class, damage -> {
          assertThat(damage.file()).as(where).isEqualTo(place.file());
          assertThat(damage.offset()).as(where).isEqualTo(place.offset());
        });
      }
      return true;
    } finally {
      assertThat(damaged.openHandles()).as(where).isEmpty();
    }
  }

  private static boolean isLost(
      LogFixture.Place place, String file, byte[] whole, byte[] bytes, boolean headLost) {
    int end = place.offset() + place.units() * RecordLayout.UNIT;
    return place.file().equals(file)
        && (headLost
            || bytes.length < end
            || isChanged(whole, bytes, place.offset(), place.offset() + place.length()));
  }

  private static boolean isChanged(byte[] whole, byte[] bytes, int from, int to) {
    return bytes.length < to || !Arrays.equals(whole, from, to, bytes, from, to);
  }

  private static int generationOf(String file) {
    return file.contains("1") ? 0 : 1;
  }

  /** Returns the first record of a generation. */
  private int firstOf(int generation) {
    long base = generation == 0 ? log.places.get(0).base() : log.generation.baseSeqno();
    for (int i = 0; i < log.places.size(); i++) {
      if (log.places.get(i).base() == base) {
        return i;
      }
    }
    throw new AssertionError("no record");
  }

  @Test
  void logCutAtAnyByteIsRecoveredOrReported() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int length = 0; length < BYTES; length++) {
        check(file, Arrays.copyOf(whole, length), file + " cut to " + length);
      }
    }
  }

  @Test
  void logZeroedFromAnyByteOnIsRecoveredOrReported() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int length = 0; length < BYTES; length++) {
        byte[] torn = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
        check(file, torn, file + " zero from " + length);
      }
    }
  }

  @Test
  void logWithAnyFlippedBitIsRecoveredOrReported() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int bit = 0; bit < BYTES * Byte.SIZE; bit++) {
        byte[] bytes = whole.clone();
        bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        check(file, bytes, file + " bit " + bit);
      }
    }
  }

  @Test
  void logWithAnyReplacedByteIsRecoveredOrReported() {
    for (String file : FILES) {
      byte[] whole = directory.bytes(file);
      for (int offset = 0; offset < BYTES; offset++) {
        for (int value : new int[] {0, 1, 0x7F, 0xFF}) {
          byte[] bytes = whole.clone();
          bytes[offset] = (byte) value;
          check(file, bytes, file + " byte " + offset + " = " + value);
        }
      }
    }
  }

  /** Loss below a promise is reported. The last promise here covers the seqnos below 10. */
  @Test
  void damageBelowAPromiseIsReported() {
    String file = FILES.get(0);
    byte[] whole = directory.bytes(file);
    for (int offset = 0; offset < 64 + 24; offset++) {
      byte[] bytes = whole.clone();
      bytes[offset] ^= 1;
      boolean isPadding = offset >= 64 + 21;
      assertThat(check(file, bytes, "byte " + offset)).as("byte " + offset).isEqualTo(!isPadding);
    }
  }

  /** Power losses in a row, with writes and forces in between. */
  @Test
  void repeatedCrashesLoseOnlyUnforcedRecords() {
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

  /** Recovers {@code disk}, writes, forces, loses power. Returns the entries that must survive. */
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
