// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that the scanner finds the records that the encoder wrote. */
class SegmentScannerTest {

  private static final String FIRST_WAL = "wal-00000001.log";

  private final long seed = TestSeed.get();
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void findsRandomRecords() {
    for (int round = 0; round < 200; round++) {
      try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
        writeRandomRecords(log);
        assertThat(LogFixture.replay(log.directory.afterKill()).entries)
            .as(TestSeed.howToReplay(seed))
            .isEqualTo(log.said());
      }
    }
  }

  private void writeRandomRecords(LogFixture log) {
    for (int i = random.nextInt(20); i > 0; i--) {
      long promise = random.nextBoolean() ? LogFixture.NOTHING : log.generation.baseSeqno();
      boolean inValueLog = random.nextBoolean();
      switch (random.nextInt(4)) {
        case 0 -> log.put(inValueLog, key(), text(random.nextInt(40)), promise);
        case 1 -> log.delete(key(), promise);
        case 2 -> log.voidPut(inValueLog, key(), text(3));
        default ->
          log.batch(
              inValueLog,
              promise,
              IntStream.range(0, random.nextInt(4))
                  .mapToObj(n -> random.nextBoolean() ? key() : key() + "=" + text(n))
                  .toArray(String[]::new));
      }
    }
  }

  private String key() {
    return "\0" + text(random.nextInt(20));
  }

  private String text(int length) {
    return random
        .ints(length, 'a', 'z')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void findsLargeValues() {
    String large = "x".repeat(3000);
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.put(true, "\0key", large, LogFixture.NOTHING).put(false, "\0key", large, 0);
      assertThat(LogFixture.replay(log.directory.afterKill()).entries).isEqualTo(log.said());
    }
  }

  @Test
  void completesAVoidRecord() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.encoder.put(LogFixture.bytes("\0k"), 2, LogFixture.bytes("v"), 0, 1, LogFixture.NOTHING);
      log.encoder.setVoid(true, false);
      long place = log.generation.reserve(false, log.encoder.units());
      LogFixture.write(log.encoder, log.generation, false, place);
      assertThat(LogFixture.replay(log.directory.afterKill()).entries).isEmpty();
      log.encoder.setVoid(false, false);
      LogFixture.write(log.encoder, log.generation, false, place);
      assertThat(LogFixture.replay(log.directory.afterKill()).entries)
          .containsExactly("0 put \0k=v");
    }
  }

  /** The place of a void batch has no meaning, and records after it count. */
  @Test
  void passesAVoidBatch() {
    for (int operations = 0; operations <= 3; operations++) {
      for (long promise : new long[] {LogFixture.NOTHING, 0}) {
        try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
          String[] batch = Collections.nCopies(operations, "\0key=v").toArray(String[]::new);
          LogFixture.encodeBatch(log.encoder, promise, batch);
          log.encoder.setBatchVoid();
          int units = log.encoder.units();
          LogFixture.write(log.encoder, log.generation, true, log.generation.reserve(true, units));
          log.put(false, "\0k", "v", LogFixture.NOTHING);
          assertThat(LogFixture.replay(log.directory.afterKill()).entries)
              .as("%d operations, promise %d", operations, promise)
              .containsExactly(units + " put \0k=v");
        }
      }
    }
  }

  @Test
  void continuesBehindADamagedRecord() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.put(false, "\0a", "1", LogFixture.NOTHING)
          .put(false, "\0b", "2", LogFixture.NOTHING)
          .put(false, "\0c", "3", 3)
          .put(false, "\0d", "4", LogFixture.NOTHING);
      log.generation.segment(false).put(SegmentLayout.BYTES + 24 + 20, (byte) 'x');
      SegmentScanner scanner = new SegmentScanner(log.generation.file(false), 0);
      List<Long> seqnos = new ArrayList<>();
      for (; scanner.isValid() || scanner.findNext(); scanner.next()) {
        seqnos.add(scanner.seqno());
      }
      assertThat(seqnos).containsExactly(0L, 6L, 10L);
      assertThat(scanner.findNext()).isFalse();
    }
  }

  @Test
  void scansFastOverBytesThatLookLikeRecords() {
    byte[] segment = new byte[1 << 22];
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      byte[] head = log.directory.bytes(FIRST_WAL);
      System.arraycopy(head, 0, segment, 0, SegmentLayout.BYTES);
      SimulatedDirectory directory = new SimulatedDirectory();
      directory.replace(FIRST_WAL, segment);
      SegmentScanner scanner = new SegmentScanner(directory.openMapped(FIRST_WAL), 0);
      for (int at = SegmentLayout.BYTES; at + 16 <= segment.length; at += 16) {
        scanner.file().memory().putInt(at + 4, (segment.length - at) / 2);
        scanner.file().memory().putLong(at + 8, RecordLayout.seqnoAndKind(7, RecordLayout.PUT));
      }
      assertThat(scanner.findNext()).isFalse();
      assertThat(scanner.offset()).isLessThan(1000);
    }
  }
}
