// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.SimulatedDirectory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the padding that lets a put in the value log begin at a page. */
class RecordPaddingTest {

  private static final int PAGE = 4096;
  private static final int SEGMENT_BYTES = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    "16096, 16032, 288, 'five pages become four'",
    "16384, 16032, 0, 'it begins at a page'",
    "64, 16032, 0, 'the padding would be too long'",
    "15384, 16032, 1000, 'the longest padding'",
    "15376, 16032, 0, 'the padding would be longer than a sixteenth'",
    "4064, 2032, 32, 'two records fill a page'",
    "2032, 2032, 0, 'it ends in its page'",
    "3144, 1048, 0, 'a quarter of the page would be unused'",
    "4080, 2032, 0, 'the padding would be too short for a record'",
    "4072, 2032, 24, 'the shortest void record'",
    "64, 4128, 0, 'it takes two pages anywhere'",
    "64, 131072, 4032, 'a long record at the beginning of a segment'"
  })
  void skipsToThePage(int offset, int bytes, int expected, String why) {
    int padding = RecordLayout.padding(offset, bytes / RecordLayout.UNIT);
    assertThat(padding * RecordLayout.UNIT).as(why).isEqualTo(expected);
  }

  @Test
  void paddingSavesAPageAndIsShort() {
    SplittableRandom random = new SplittableRandom(5);
    int padded = 0;
    for (int i = 0; i < 100_000; i++) {
      int offset = 64 + random.nextInt(10_000) * RecordLayout.UNIT;
      int units = 3 + random.nextInt(1 << random.nextInt(2, 15));
      int bytes = units * RecordLayout.UNIT;
      int padding = RecordLayout.padding(offset, units) * RecordLayout.UNIT;
      if (padding > 0) {
        padded++;
        assertThat(offset + padding).matches(at -> at % PAGE == 0);
        assertThat(pages(offset + padding, bytes)).isEqualTo(pages(offset, bytes) - 1);
        assertThat(padding).isBetween(24, bytes / 16);
      }
    }
    assertThat(padded).isGreaterThan(1000);
  }

  private static int pages(int offset, int bytes) {
    return (offset + bytes - 1) / PAGE - offset / PAGE + 1;
  }

  /** Concurrent reservations, with their padding, leave no gap and do not overlap. */
  @Test
  void reservationsOfAllThreadsAreDense() throws Exception {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      LogGeneration generation = log.nextOf(SEGMENT_BYTES);
      ConcurrentLinkedQueue<long[]> taken = new ConcurrentLinkedQueue<>();
      AtomicLong paddings = new AtomicLong();
      new Crew()
          .add(4, () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            while (true) {
              int units = 1900 + random.nextInt(200);
              long reservation = generation.reservePadded(units);
              if (reservation == LogGeneration.FULL) {
                return;
              }
              int padding = LogGeneration.padding(reservation, units);
              paddings.addAndGet(padding);
              long record = LogGeneration.afterPadding(reservation, padding);
              taken.add(new long[] {
                LogGeneration.offset(reservation, true),
                LogGeneration.offset(record, true) + units * RecordLayout.UNIT,
                generation.seqno(record) - generation.seqno(reservation) - padding
              });
            }
          })
          .run();
      long end = SegmentLayout.BYTES;
      for (long[] each :
          taken.stream().sorted((a, b) -> Long.compare(a[0], b[0])).toList()) {
        assertThat(each[0]).isEqualTo(end);
        assertThat(each[2]).as("the seqno counts the padding").isZero();
        end = each[1];
      }
      assertThat(end).isEqualTo(generation.usedBytes(true)).isLessThanOrEqualTo(SEGMENT_BYTES);
      assertThat(paddings.get()).isPositive();
      assertThat(generation.paddingBytes()).isEqualTo(paddings.get() * RecordLayout.UNIT);
    }
  }

  /** A segment for one long record has room for the padding before it. */
  @Test
  void longestRecordFits() {
    int units = (1 << 20) / RecordLayout.UNIT;
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      LogGeneration generation = log.nextOf((int) LogGeneration.segmentBytesFor(units));
      long reservation = generation.reservePadded(units);
      assertThat(reservation).isNotEqualTo(LogGeneration.FULL);
      assertThat(LogGeneration.padding(reservation, units)).isPositive();
    }
  }

  /** The page before a record may not be in memory, so no byte of it may be read. */
  @Test
  void headIsReadWithoutThePageBefore() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.put(true, "\0key", "value", LogFixture.NOTHING);
      ByteBuffer segment = log.generation.segment(true);
      int length = segment.capacity() - SegmentLayout.BYTES;
      ByteBuffer record = segment.slice(SegmentLayout.BYTES, length);
      assertThat(RecordLayout.checksum(record, 0))
          .isEqualTo(LittleEndian.getInt(segment, SegmentLayout.BYTES));
      assertThat(RecordLayout.length(record, 0)).isEqualTo(RecordLayout.HEADER + 2 + 4 + 5);
      assertThat(RecordLayout.kindByte(record, 0)).isEqualTo(RecordLayout.PUT);
    }
  }

  @Test
  void recoveryPassesThePadding() {
    byte[] key = LogFixture.bytes("\0key");
    byte[] value = new byte[2000];
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      LogGeneration generation = log.nextOf(SEGMENT_BYTES);
      RecordWriter writer = new RecordWriter();
      RecordEncoder padding = new RecordEncoder();
      padding.ensurePadding();
      int paddings = 0;
      for (int i = 0; i < 100; i++) {
        log.encoder.put(key, key.length, value, 0, value.length, LogFixture.NOTHING);
        long reservation = generation.reservePadded(log.encoder.units());
        int before = LogGeneration.padding(reservation, log.encoder.units());
        if (before > 0) {
          padding.padding(before);
          assertThat(padding.units()).isEqualTo(before);
          paddings++;
        }
        writer.ensure(log.encoder.units(), true);
        writer.write(generation, true, reservation, before, log.encoder);
      }
      assertThat(paddings).isPositive();
      assertThat(LogFixture.replay(log.directory.afterKill()).entries).hasSize(100);
    }
  }
}
