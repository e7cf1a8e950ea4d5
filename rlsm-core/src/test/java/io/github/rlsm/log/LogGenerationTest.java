// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.InvalidEntryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class LogGenerationTest {

  private static final int HEAD = SegmentLayout.BYTES;

  private record Taken(boolean inValueLog, int units, long seqno, int offset) {}

  @Test
  void handsOutEveryUnitOnce() throws Exception {
    for (int round = 0; round < 30; round++) {
      try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
        LogGeneration generation = log.generation;
        ConcurrentLinkedQueue<Taken> all = new ConcurrentLinkedQueue<>();
        new Crew().add(8, () -> takeUntilFull(generation, all)).run();
        checkDense(all, generation);
      }
    }
  }

  private static void takeUntilFull(LogGeneration generation, ConcurrentLinkedQueue<Taken> all) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (true) {
      boolean inValueLog = random.nextBoolean();
      int units = random.nextInt(3, 9);
      long place = generation.reserve(inValueLog, units);
      if (place == LogGeneration.FULL) {
        return;
      }
      int offset = LogGeneration.offset(place, inValueLog);
      all.add(new Taken(inValueLog, units, generation.seqno(place), offset));
    }
  }

  private static void checkDense(Iterable<Taken> all, LogGeneration generation) {
    List<Taken> sorted = new ArrayList<>();
    all.forEach(sorted::add);
    sorted.sort(Comparator.comparingLong(Taken::seqno));
    long seqno = generation.baseSeqno();
    int[] offsets = {HEAD, HEAD};
    for (Taken taken : sorted) {
      int stream = taken.inValueLog ? 1 : 0;
      assertThat(taken.seqno).isEqualTo(seqno);
      assertThat(taken.offset).isEqualTo(offsets[stream]);
      seqno += taken.units;
      offsets[stream] += taken.units * RecordLayout.UNIT;
    }
    assertThat(generation.endSeqno()).isEqualTo(seqno);
    assertThat(generation.usedBytes(false)).isEqualTo(offsets[0]);
    assertThat(generation.usedBytes(true)).isEqualTo(offsets[1]);
    assertThat(offsets[0]).isLessThanOrEqualTo(LogFixture.SEGMENT_BYTES);
    assertThat(offsets[1]).isLessThanOrEqualTo(LogFixture.SEGMENT_BYTES);
  }

  @Test
  void refusedReservationLeavesNoTrace() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      LogGeneration generation = log.generation;
      int room = Generations.ROOM_UNITS;
      assertThat(generation.reserve(false, room + 1)).isEqualTo(LogGeneration.FULL);
      assertThat(generation.reserve(true, room + 1)).isEqualTo(LogGeneration.FULL);
      assertThat(generation.endSeqno()).isZero();
      assertThat(generation.reserve(false, room)).isNotEqualTo(LogGeneration.FULL);
      assertThat(generation.reserve(false, 1)).isEqualTo(LogGeneration.FULL);
      assertThat(generation.reserve(true, room)).isNotEqualTo(LogGeneration.FULL);
      assertThat(generation.endSeqno()).isEqualTo(2L * room);
      assertThat(generation.usedBytes(false)).isEqualTo(LogFixture.SEGMENT_BYTES);
    }
  }

  @Test
  void sealsOnceAndKeepsItsEnd() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.generation.reserve(true, 5);
      assertThat(log.generation.seal()).isTrue();
      assertThat(log.generation.seal()).isFalse();
      assertThat(log.generation.isSealed()).isTrue();
      assertThat(log.generation.reserve(false, 1)).isEqualTo(LogGeneration.FULL);
      assertThat(log.generation.endSeqno()).isEqualTo(5);
      assertThat(log.generation.hasValues()).isTrue();
      assertThat(log.generation.recordBytes()).isEqualTo(40);
    }
  }

  @Test
  void forcesRecordsThatTheLastForceFoundUnfilled() {
    SimulatedDirectory directory = new SimulatedDirectory();
    try (LogFixture log = new LogFixture(directory)) {
      log.encoder.delete(LogFixture.bytes("\0late"), 5, LogFixture.NOTHING);
      int units = log.encoder.units();
      long place = log.generation.reserve(false, units);
      // The force of another writer comes in between. It covers only the published beginning.
      assertThat(log.generation.force(0)).isTrue();
      LogFixture.write(log.encoder, log.generation, false, place);
      assertThat(log.generation.force(units)).isTrue();
      SimulatedDirectory survivor = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 0);
      assertThat(LogFixture.replay(survivor).entries).containsExactly("0 delete \0late");
      assertThat(log.generation.force(units)).isFalse();
    }
  }

  /** The first force writes both headers; later forces write only streams with new records. */
  @Test
  void forcesOnlyStreamsWithNewRecords() {
    SimulatedDirectory directory = new SimulatedDirectory();
    List<String> forced = new ArrayList<>();
    try (LogFixture log = new LogFixture(directory)) {
      directory.onEvent(event -> {
        if (event.kind() == IoEvent.Kind.FORCE && event.isBefore()) {
          forced.add(event.file());
        }
      });
      log.put(false, "\0a", "1", LogFixture.NOTHING);
      log.generation.force(log.generation.endSeqno());
      log.put(false, "\0b", "2", LogFixture.NOTHING);
      log.generation.force(log.generation.endSeqno());
      log.put(true, "\0c", "3", LogFixture.NOTHING);
      log.generation.force(log.generation.endSeqno());
      log.generation.force(log.generation.endSeqno());
    }
    assertThat(forced)
        .containsExactly(
            "val-00000001.log", "wal-00000001.log", "wal-00000001.log", "val-00000001.log");
  }

  /** The tail moves all the time: there is always a record that is not published yet. */
  @Test
  void forcesPublishedRecordsDuringWrites() {
    SimulatedDirectory directory = new SimulatedDirectory();
    try (LogFixture log = new LogFixture(directory)) {
      for (int i = 0; i < 10; i++) {
        log.encoder.delete(LogFixture.bytes("\0" + i), 2, LogFixture.NOTHING);
        long place = log.generation.reserve(false, log.encoder.units());
        log.generation.force(log.generation.seqno(place));
        LogFixture.write(log.encoder, log.generation, false, place);
        log.generation.force(log.generation.endSeqno() - (i % 2L) * log.encoder.units());
      }
      SimulatedDirectory survivor = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 0);
      assertThat(LogFixture.replay(survivor).entries).hasSizeGreaterThanOrEqualTo(9);
    }
  }

  @Test
  void batchBeyondTheLimitIsRefusedAndItsMemoryReleased() {
    RecordEncoder encoder = new RecordEncoder(3 << 20);
    encoder.beginBatch(4, -1, null);
    byte[] value = new byte[1 << 20];
    encoder.addToBatch(new byte[1], value, 0, 0, 0, value.length);
    encoder.addToBatch(new byte[1], value, 0, 0, 0, value.length);
    assertThatThrownBy(() -> encoder.addToBatch(new byte[1], value, 0, 0, 0, value.length))
        .isInstanceOf(InvalidEntryException.class)
        .hasMessageContaining("at most " + (3 << 20));
    encoder.release();
    assertThat(encoder.heldBytes()).isZero();
    encoder.beginBatch(1, -1, null);
    encoder.addToBatch(new byte[1], value, 0, 0, 0, 10);
    encoder.finishBatch();
    assertThat(encoder.length()).isPositive();
  }
}
