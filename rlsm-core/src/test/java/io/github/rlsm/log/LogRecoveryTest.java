// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static io.github.rlsm.log.LogFixture.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rows of {@link LogRecovery}'s decision table, and the effects of a recovery. */
class LogRecoveryTest {

  private final SimulatedDirectory directory = new SimulatedDirectory();

  private Replay replay() {
    return LogFixture.replay(directory.afterKill());
  }

  @Test
  void anEmptyDirectoryIsAnEmptyLog() {
    Replay replay = replay();
    assertThat(replay.entries).isEmpty();
    assertThat(replay.endSeqno).isZero();
    assertThat(replay.generations).isZero();
  }

  @Test
  void rowAGoesOnInTheNextGeneration() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).put(true, "\0b", "2", 3).next();
      log.put(true, "\0c", "3", 6).delete("\0a", NOTHING).next().next();
      log.put(false, "\0d", "4", NOTHING);
      Replay replay = replay();
      assertThat(replay.entries).isEqualTo(log.said());
      assertThat(replay.endSeqno).isEqualTo(log.generation.endSeqno());
      assertThat(replay.generations).isEqualTo(3);
      assertThat(replay.droppedBytes).isZero();
    }
  }

  @Test
  void rowBEndsWhereNothingFollows() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).put(true, "\0b", "2", 3).hole(false, 4);
      Replay replay = replay();
      assertThat(replay.entries).isEqualTo(log.said());
      assertThat(replay.endSeqno).isEqualTo(7);
      assertThat(replay.droppedBytes).isZero();
    }
  }

  @Test
  void rowCDropsRecordsBehindAHole() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).hole(true, 4);
      log.put(false, "\0b", "2", 3).put(true, "\0c", "3", NOTHING);
      log.next().put(false, "\0d", "4", 3);
      Replay replay = replay();
      assertThat(replay.entries).isEqualTo(log.said(1));
      assertThat(replay.endSeqno).isEqualTo(3);
      assertThat(replay.droppedBytes).isEqualTo(32 + 24 + 32);
    }
  }

  @Test
  void rowDReportsALostDurableRecord() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).hole(true, 4).put(false, "\0b", "2", 4);
      assertThatThrownBy(this::replay)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("wal-00000001.log")
          .hasMessageContaining("the record with seqno 7")
          .hasMessageContaining("only up to 3");
    }
  }

  @Test
  void rowDLooksPastDamageInTheSameStream() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING)
          .hole(false, 4)
          .put(false, "\0b", "2", NOTHING)
          .put(false, "\0c", "3", 7);
      assertThatThrownBy(this::replay).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void rowDLooksIntoLaterGenerations() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).hole(false, 4).next();
      log.put(false, "\0b", "2", 7);
      assertThatThrownBy(this::replay).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void rowDLooksIntoGenerationsThatLostAHead() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).next();
      log.put(false, "\0b", "2", NOTHING).put(true, "\0c", "3", 6);
      SimulatedDirectory survivor = directory.afterKill();
      byte[] bytes = survivor.bytes("wal-00000002.log");
      survivor.replace("wal-00000002.log", new byte[bytes.length]);
      assertThatThrownBy(() -> LogFixture.replay(survivor)).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void aLostHeadWithoutPromisesEndsTheHistory() {
    for (String lost : List.of("wal-00000002.log", "val-00000002.log")) {
      SimulatedDirectory own = new SimulatedDirectory();
      try (LogFixture log = new LogFixture(own)) {
        log.put(false, "\0a", "1", NOTHING).next();
        log.put(false, "\0b", "2", NOTHING).put(true, "\0c", "3", 3).next();
        log.put(true, "\0d", "4", 3);
        SimulatedDirectory survivor = own.afterKill();
        survivor.replace(lost, new byte[LogFixture.SEGMENT_BYTES]);
        Replay replay = LogFixture.replay(survivor);
        assertThat(replay.entries).as(lost).isEqualTo(log.said(1));
        assertThat(replay.endSeqno).isEqualTo(3);
        assertThat(replay.droppedBytes).isPositive();
      }
    }
  }

  @Test
  void voidRecordsTakeSeqnosButReplayNothing() {
    try (LogFixture log = new LogFixture(directory)) {
      log.voidPut(false, "\0a", "1").put(true, "\0b", "2", NOTHING).voidPut(true, "\0c", "3");
      Replay replay = replay();
      assertThat(replay.entries).containsExactly("3 put \0b=2");
      assertThat(replay.endSeqno).isEqualTo(9);
    }
  }

  @Test
  void batchIsRecoveredWholeOrNotAtAll() {
    try (LogFixture log = new LogFixture(directory)) {
      log.batch(true, NOTHING, "\0a=1", "\0b", "\0c=" + "3".repeat(500));
      SimulatedDirectory survivor = directory.afterKill();
      assertThat(LogFixture.replay(survivor).entries).isEqualTo(log.said());
      survivor.truncate("val-00000001.log", log.generation.usedBytes(true) - 8);
      assertThat(LogFixture.replay(survivor).entries).isEmpty();
    }
  }

  @Test
  void flushedRecordsAreNotReplayed() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).next().put(false, "\0b", "2", 3);
      Replay replay = LogFixture.replay(directory.afterKill(), 3, 2);
      assertThat(replay.entries).containsExactly("3 put \0b=2");
    }
  }

  /**
   * The salt distinguishes the records of an earlier use of the segment, even at the same seqnos.
   */
  @Test
  void recordsOfAnEarlierLapNeverReplay() {
    try (LogFixture log = new LogFixture(directory)) {
      log.segments.expectForces();
      log.put(false, "\0a", "1", NOTHING);
      log.put(false, "\0old", "x", NOTHING).put(false, "\0old", "y", 3);
      LogGeneration first = log.generation;
      log.next();
      log.segments.recycle(first);
      // The second lap in the same file, with the base that puts the old records at their places
      // again.
      log.generation = log.segments.begin(0, 0, 0);
      assertThat(log.generation.file(false).name()).isEqualTo("wal-00000001.log");
      log.history.clear();
      log.put(false, "\0b", "2", NOTHING);
      Replay replay = LogFixture.replay(directory.afterKill(), 0, log.generation.number());
      assertThat(replay.entries).containsExactly("0 put \0b=2");
      assertThat(replay.droppedBytes).isZero();
    }
  }

  @Test
  void droppedRecordsStayDroppedInLaterRecoveries() {
    LogFixture first = new LogFixture(directory);
    first.put(false, "\0a", "1", NOTHING).hole(false, 4).put(true, "\0b", "2", NOTHING);
    SimulatedDirectory survivor = directory.kill();
    try (LogFixture second = new LogFixture(survivor)) {
      assertThat(second.recovered.endSeqno()).isEqualTo(3);
      second.put(false, "\0c", "3", NOTHING).put(true, "\0d", "4", 3);
      Replay replay = LogFixture.replay(survivor.afterKill());
      assertThat(replay.entries).containsExactly("0 put \0a=1", "3 put \0c=3", "6 put \0d=4");
      assertThat(replay.generations).isEqualTo(2);
    }
  }

  /**
   * A dropped generation stays on disk until its segments are reused. The history may grow to
   * exactly its base, and be in tables up to there. Recovery must not continue with the dropped
   * generation then.
   */
  @Test
  void aDroppedGenerationDoesNotComeBackWhenTheHistoryReachesItsBase() {
    LogFixture first = new LogFixture(directory);
    first.hole(false, 3).next(); // generation 1, lost
    first.put(false, "\0dropped", "x", NOTHING).next(); // generation 2, base 3
    first.put(false, "\0dropped", "y", NOTHING); // generation 3
    SimulatedDirectory survivor = directory.kill();
    try (LogFixture second = new LogFixture(survivor)) {
      assertThat(second.recovered.endSeqno()).isZero();
      assertThat(second.recovered.droppedBytes()).isPositive();
      second.put(false, "\0a", "1", NOTHING); // generation 4, base 0, replaces 1
      int flushed = second.generation.number() + 1;
      Replay replay = LogFixture.replay(survivor.afterKill(), 3, flushed);
      assertThat(replay.entries).isEmpty();
      assertThat(replay.endSeqno).isEqualTo(3);
    }
  }

  @Test
  void recoveringTwiceGivesTheSame() {
    LogFixture first = new LogFixture(directory);
    first.put(true, "\0a", "1", NOTHING).next().put(false, "\0b", "2", 3).hole(true, 3);
    first.put(false, "\0c", "3", NOTHING);
    SimulatedDirectory survivor = directory.kill();
    Replay once = LogFixture.replay(survivor);
    Replay twice = LogFixture.replay(survivor);
    assertThat(twice.entries).isEqualTo(once.entries).isEqualTo(first.said(2));
    assertThat(twice.endSeqno).isEqualTo(once.endSeqno);
    assertThat(survivor.openHandles()).isEmpty();
  }

  /** The process may die between any two stores to a header, in a new or a reused file. */
  @Test
  void tornHeadIsIgnored() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).put(true, "\0b", "2", NOTHING);
      LogGeneration used = log.generation;
      log.next().put(false, "\0c", "3", NOTHING);
      FileHeader file = new FileHeader(FileHeader.Kind.WRITE_AHEAD_LOG, LogFixture.STORE_ID, 1);
      byte[] head =
          new SegmentLayout(3, 10, 99, LogFixture.MANIFEST).encode(file).array();
      byte[] old = directory.bytes("wal-00000001.log");
      for (int stored = 8; stored <= head.length; stored++) {
        byte[] torn = old.clone();
        Arrays.fill(torn, 0, 8, (byte) 0);
        System.arraycopy(head, 8, torn, 8, stored - 8);
        SimulatedDirectory survivor = directory.afterKill();
        survivor.replace("wal-00000001.log", torn);
        Replay replay = LogFixture.replay(survivor, used.endSeqno(), 2);
        assertThat(replay.entries).as("%s bytes", stored).isEqualTo(log.history.get(2));
      }
    }
  }

  @Test
  void manifestShorterThanAHeadSaysIsDamage() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING);
      ManifestPosition position = LogFixture.MANIFEST;
      List<ManifestPosition> enough = List.of(
          position,
          new ManifestPosition(position.manifest(), position.records() + 1),
          new ManifestPosition(position.manifest() + 1, 2));
      List<ManifestPosition> tooLittle = List.of(
          new ManifestPosition(position.manifest(), position.records() - 1),
          new ManifestPosition(position.manifest() - 1, position.records() + 1),
          ManifestPosition.NONE);
      assertThat(enough)
          .allSatisfy(read -> assertThat(recover(0, read).endSeqno()).isEqualTo(3));
      assertThat(tooLittle)
          .allSatisfy(read -> assertThatThrownBy(() -> recover(0, read))
              .isInstanceOf(CorruptionException.class)
              .hasMessageContaining("MANIFEST-00000153")
              .hasMessageContaining("119 records of manifest 153 were durable"));
    }
  }

  @Test
  void lossOfLogThatTheManifestCallsDurableIsReported() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING);
      assertThat(recover(3, LogFixture.MANIFEST).endSeqno()).isEqualTo(3);
      assertThatThrownBy(() -> recover(4, LogFixture.MANIFEST))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("everything below 4 was durable");
    }
  }

  private RecoveredLog recover(long durableSeqno, ManifestPosition manifest) {
    LogStart start = new LogStart(0, 1, durableSeqno, durableSeqno, Set.of(), manifest);
    RecoveredLog log =
        LogRecovery.read(directory.afterKill(), LogFixture.STORE_ID, start, new Replay());
    log.close();
    return log;
  }

  /** Records behind the cut and in later generations never come back. */
  @Test
  void cutRecordsNeverComeBack() {
    for (int kept = 0; kept < 6; kept++) {
      SimulatedDirectory fresh = new SimulatedDirectory();
      try (LogFixture log = new LogFixture(fresh)) {
        log.put(false, "\0a", "1", NOTHING).put(true, "\0b", "22", NOTHING);
        log.batch(false, NOTHING, "\0c=3", "\0d").next();
        log.put(true, "\0e", "4", NOTHING).put(false, "\0f", "5", NOTHING).next();
        log.put(false, "\0g", "6", NOTHING);
        String first = log.said(kept + 1).get(log.said(kept).size());
        long end = Long.parseLong(first.substring(0, first.indexOf(' ')));
        SimulatedDirectory survivor = fresh.afterCrash(CrashStyle.KEEP_UNSYNCED, 1);
        Replay cut = new Replay();
        LogRecovery.read(survivor, LogFixture.STORE_ID, LogFixture.start(0, 1), end, cut)
            .close();
        assertThat(cut.entries).isEqualTo(log.said(kept));
        // This recovery has no end to cut at, so the first cut must be durable.
        SimulatedDirectory again = survivor.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
        Replay after = LogFixture.replay(again);
        assertThat(after.entries).isEqualTo(log.said(kept));
        assertThat(after.endSeqno).isEqualTo(end);
      }
    }
  }

  @Test
  void cutBelowAPromiseIsDamage() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(false, "\0a", "1", NOTHING).put(false, "\0b", "2", NOTHING);
      log.put(false, "\0c", "3", log.generation.endSeqno());
      assertThatThrownBy(() -> LogRecovery.read(
              directory.afterKill(), LogFixture.STORE_ID, LogFixture.start(0, 1), 3, new Replay()))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("can be read only up to 3");
    }
  }

  /** The older one is a deleted file that came back, as after a failed force of the directory. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void ofTwoGenerationsOfOneNumberTheLaterCounts(int older) {
    try (LogFixture log = new LogFixture(directory)) {
      LogGeneration first = log.put(false, "\0a", "1", NOTHING).generation;
      writeHeads(first, 1, older);
      writeHeads(log.next().generation, 2, older);
      SimulatedDirectory survivor = directory.afterKill();
      Replay replay = LogFixture.replay(survivor);
      assertThat(replay.entries).isEqualTo(older == 1 ? List.of() : log.said());
      assertThat(survivor.openHandles()).isEmpty();
    }
  }

  /**
   * Writes the headers of a pair of segments of generation 1. The older pair has an earlier
   * manifest position.
   */
  private static void writeHeads(LogGeneration generation, int number, int older) {
    ManifestPosition last = LogFixture.MANIFEST;
    int records = number == older ? last.records() - 1 : last.records();
    int salt = generation.segment(false).getInt(SegmentLayout.SALT);
    SegmentLayout head =
        new SegmentLayout(1, 0, salt, new ManifestPosition(last.manifest(), records));
    head.write(
        generation.segment(false),
        new FileHeader(FileHeader.Kind.WRITE_AHEAD_LOG, LogFixture.STORE_ID, number));
    head.write(
        generation.segment(true),
        new FileHeader(FileHeader.Kind.VALUE_LOG, LogFixture.STORE_ID, number));
  }

  @Test
  void twoGenerationsOfOneNumberAreDamage() {
    try (LogFixture log = new LogFixture(directory)) {
      SegmentLayout head = new SegmentLayout(1, 0, 1, LogFixture.MANIFEST);
      log.put(false, "\0a", "1", NOTHING).next();
      head.write(
          log.generation.segment(false),
          new FileHeader(FileHeader.Kind.WRITE_AHEAD_LOG, LogFixture.STORE_ID, 2));
      SimulatedDirectory survivor = directory.afterKill();
      assertThatThrownBy(() -> LogFixture.replay(survivor))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("same generation");
      assertThat(survivor.openHandles()).isEmpty();
    }
  }
}
