// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that records have the same bytes whether they are stored or written by system calls. */
class RecordWriterTest {

  private static final byte[] KEY = LogFixture.bytes("\0key");
  private static final int HEAD = RecordLayout.HEADER + RecordLayout.KEY_LENGTH + KEY.length;
  private static final int SALT = 77;
  private static final int CHUNK = 64 << 10;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final RecordEncoder encoder = new RecordEncoder();
  private final RecordWriter writer = new RecordWriter();
  private final List<IoEvent.Kind> calls = new ArrayList<>();

  private static byte[] value(int length) {
    byte[] value = new byte[length];
    new SplittableRandom(length).nextBytes(value);
    return value;
  }

  private void encode(int recordBytes) {
    int length = recordBytes - HEAD;
    encoder.put(KEY, KEY.length, value(length), 0, length, LogFixture.NOTHING);
    assertThat(encoder.length()).isEqualTo(recordBytes);
  }

  private void store(ByteBuffer to, int offset, long seqno) {
    encoder.finish(seqno, SALT);
    encoder.copy(0, encoder.length(), to, offset);
  }

  private int writes() {
    return Collections.frequency(calls, IoEvent.Kind.WRITE);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1500, 4095, 4096, 4097, 16_000, CHUNK - 1, CHUNK, CHUNK + 1, 200_003})
  void hasTheBytesOfAStoredRecord(int recordBytes) {
    int offset = 24;
    encode(recordBytes);
    ByteBuffer stored =
        ByteBuffer.allocate(offset + recordBytes + 8).order(ByteOrder.LITTLE_ENDIAN);
    store(stored, offset, 99);
    try (MappedFile file = directory.createMapped("m", stored.capacity())) {
      directory.recordCalls(calls);
      writer.ensure(encoder.units(), false);
      writer.write(file, offset, 99, SALT, encoder);
      assertThat(directory.bytes("m")).isEqualTo(stored.array());
    }
    int expected = recordBytes < 4096 ? 0 : (recordBytes + CHUNK - 1) / CHUNK;
    assertThat(writes()).isEqualTo(expected);
  }

  /** Such as another system, or a process that is short of file descriptors. */
  @Test
  void storesIfTheSystemCannotWrite() {
    int recordBytes = 2 * CHUNK + 17;
    encode(recordBytes);
    ByteBuffer stored = ByteBuffer.allocate(recordBytes).order(ByteOrder.LITTLE_ENDIAN);
    store(stored, 0, 99);
    directory.recordCalls(calls);
    try (MappedFile file = directory.createMapped("m", recordBytes)) {
      writer.ensure(encoder.units(), false);
      writer.write(withoutWrites(file), 0, 99, SALT, encoder);
      assertThat(directory.bytes("m")).isEqualTo(stored.array());
    }
    assertThat(writes()).isZero();
  }

  private static MappedFile withoutWrites(MappedFile file) {
    return (MappedFile) Proxy.newProxyInstance(
        MappedFile.class.getClassLoader(),
        new Class<?>[] {MappedFile.class},
        (proxy, method, arguments) ->
            method.getName().equals("write") ? false : method.invoke(file, arguments));
  }

  /** The padding and the record behind it are one call. */
  @Test
  void writesThePaddingWithTheRecord() {
    int records = 60;
    try (LogFixture log = new LogFixture(directory)) {
      LogGeneration generation = log.nextOf(1 << 20);
      directory.recordCalls(calls);
      SplittableRandom random = new SplittableRandom(1);
      int paddings = 0;
      for (int i = 0; i < records; i++) {
        encode(15_000 + random.nextInt(1000));
        writer.ensure(encoder.units(), true);
        long reservation = generation.reservePadded(encoder.units());
        int padding = LogGeneration.padding(reservation, encoder.units());
        paddings += padding > 0 ? 1 : 0;
        writer.write(generation, true, reservation, padding, encoder);
      }
      assertThat(paddings).isPositive();
      assertThat(writes()).isEqualTo(records);
      assertThat(LogFixture.replay(directory.afterKill()).entries).hasSize(records);
    }
  }

  /** Records of all lengths in turn use one buffer, which only grows. */
  @Test
  void oneWriterWritesRecordsOfAnyLength() {
    SplittableRandom random = new SplittableRandom(3);
    try (MappedFile file = directory.createMapped("m", 1 << 18)) {
      for (int i = 0; i < 200; i++) {
        int recordBytes = HEAD + 1 + random.nextInt(1 << random.nextInt(1, 18));
        encode(recordBytes);
        ByteBuffer stored = ByteBuffer.allocate(recordBytes).order(ByteOrder.LITTLE_ENDIAN);
        store(stored, 0, i);
        writer.ensure(encoder.units(), false);
        writer.write(file, 0, i, SALT, encoder);
        byte[] written = new byte[recordBytes];
        file.memory().get(0, written);
        assertThat(written).isEqualTo(stored.array());
      }
    }
  }
}
