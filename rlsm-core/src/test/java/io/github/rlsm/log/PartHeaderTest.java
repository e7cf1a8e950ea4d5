// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.log.RecordLayout.PartHeaderLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests records in the log that are parts of cross-shard batches. */
class PartHeaderTest {

  private static final PartHeader HEADER = new PartHeader(0x0102030405L, List.of(0, 3, 700));

  /** FORMAT.md, "Mark of a part". */
  private static final String RECORD = """
      f534dfca 38000000 00000000 00000003
      01000000 10000000
      05040302 01000000 03000000 0300bc02
      524a64c6 01000200 01000000 006b7600
      """;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  private static String hex(LogFixture log) {
    byte[] bytes = new byte[log.generation.usedBytes(false) - SegmentLayout.BYTES];
    log.generation.segment(false).get(SegmentLayout.BYTES, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  static void write(LogFixture log, PartHeader header) {
    byte[] source = LogFixture.bytes("\0kv");
    log.encoder.beginBatch(1, LogFixture.NOTHING, header);
    log.encoder.addToBatch(new byte[1], source, 1, 1, 2, 1);
    log.encoder.finishBatch();
    long reservation = log.generation.reserve(false, log.encoder.units());
    LogFixture.write(log.encoder, log.generation, false, reservation);
  }

  @Test
  void recordMatchesTheFormat() {
    try (LogFixture log = new LogFixture(directory)) {
      write(log, HEADER);
      assertThat(hex(log)).isEqualTo(RECORD.replaceAll("\\s", ""));
    }
  }

  @Test
  void recoveryReportsPartHeaders() {
    List<String> found = new ArrayList<>();
    try (LogFixture log = new LogFixture(directory)) {
      log.batch(false, 0, "\0a=1");
      write(log, HEADER);
      long seqno = log.generation.endSeqno();
      write(log, new PartHeader(0x0102030406L, List.of(1, 3)));
      RecoveredLog.Visitor visitor = new RecoveredLog.Visitor() {
        @Override
        public void generation(LogGeneration generation) {}

        @Override
        public void entry(int location, long at) {
          found.add("entry");
        }

        @Override
        public void part(PartHeader header, long at) {
          found.add(header + (at == seqno ? " there" : ""));
        }
      };
      try (RecoveredLog recovered = LogRecovery.read(
          directory.afterKill(), LogFixture.STORE_ID, LogFixture.start(0, 1), visitor)) {
        assertThat(recovered.generations().get(0).lastPart()).isEqualTo(0x0102030406L);
      }
    }
    assertThat(found)
        .containsExactly(
            "entry",
            HEADER.toString(),
            "entry",
            new PartHeader(0x0102030406L, List.of(1, 3)) + " there",
            "entry");
  }

  @Test
  void damagedMarksAreIgnored() {
    ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    PartHeaderLayout.encode(HEADER, bytes, 0);
    int length = PartHeaderLayout.length(HEADER);
    assertThat(PartHeaderLayout.isSound(bytes, 0, length)).isTrue();
    assertThat(PartHeaderLayout.decode(bytes, 0)).isEqualTo(HEADER);
    for (int wrong = 1; wrong < 64; wrong++) {
      assertThat(PartHeaderLayout.isSound(bytes, 0, wrong)).isEqualTo(wrong == length);
    }
    bytes.putShort(12, (short) 0);
    assertThat(PartHeaderLayout.isSound(bytes, 0, length)).as("not ascending").isFalse();
    PartHeaderLayout.encode(HEADER, bytes, 0);
    bytes.putLong(0, 0);
    assertThat(PartHeaderLayout.isSound(bytes, 0, length)).as("no number").isFalse();
  }

  @Test
  void impossibleMarksAreRefused() {
    for (List<Integer> stores :
        List.of(List.<Integer>of(), List.of(1), List.of(2, 1), List.of(1, 1), List.of(0, 70_000))) {
      assertThatThrownBy(() -> new PartHeader(1, stores))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
