// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The puts of a value segment, walked for a collection. */
class SegmentRecordsTest {

  private final SimulatedDirectory directory = new SimulatedDirectory();

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  /** Each put as {@code key=value}, read by the pointer that stands for it. */
  private static List<String> walk(LogFixture log, long totalBytes) {
    List<String> found = new ArrayList<>();
    try (ValueLog values = new ValueLog(log.directory, LogFixture.STORE_ID)) {
      SegmentRecords records = values.records(1, totalBytes);
      ValueReader reader = new ValueReader();
      while (records.next()) {
        byte[] key = new byte[records.keyLength()];
        records.buffer().get(records.keyOffset(), key);
        byte[] value = new byte[records.pointer().valueLength()];
        records.buffer().get(records.valueOffset(), value);
        assertThat(reader.read(values, records.pointer(), key, 0, key.length)).isEqualTo(value);
        found.add(text(key) + "=" + text(value));
      }
      assertThat(records.next()).isFalse();
      assertThat(records.walkedBytes()).isGreaterThanOrEqualTo(totalBytes);
    }
    return found;
  }

  @Test
  void findsPutsAndNothingElse() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(true, "\0a", "one", LogFixture.NOTHING);
      log.put(false, "\0b", "elsewhere", LogFixture.NOTHING);
      log.voidPut(true, "\0c", "withdrawn");
      log.batch(true, 0, "\0d=two", "\0e", "\0f=three");
      log.batch(true, LogFixture.NOTHING);
      log.put(true, "\0g", "four", 0);
      log.voidPut(true, "\0h", "withdrawn");
      assertThat(walk(log, log.generation.recordBytes(true)))
          .containsExactly("\0a=one", "\0d=two", "\0f=three", "\0g=four");
    }
  }

  @Test
  void anEmptySegmentHasNone() {
    try (LogFixture log = new LogFixture(directory)) {
      assertThat(walk(log, 0)).isEmpty();
    }
  }

  /** What lies behind the end that the account knows was dropped by a recovery. */
  @Test
  void stopsWhereTheAccountDoes() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(true, "\0a", "one", LogFixture.NOTHING);
      long total = log.generation.recordBytes(true);
      log.put(true, "\0b", "two", LogFixture.NOTHING);
      assertThat(walk(log, total)).containsExactly("\0a=one");
    }
  }

  @Test
  void damageIsNotPassedOver() {
    try (LogFixture log = new LogFixture(directory)) {
      log.put(true, "\0a", "one", LogFixture.NOTHING);
      int second = log.generation.usedBytes(true);
      log.put(true, "\0b", "two", LogFixture.NOTHING);
      log.put(true, "\0c", "three", LogFixture.NOTHING);
      log.generation.segment(true).put(second + 20, (byte) 0);
      assertThatThrownBy(() -> walk(log, log.generation.recordBytes(true)))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("val-00000001.log")
          .hasMessageContaining("offset " + second);
    }
  }
}
