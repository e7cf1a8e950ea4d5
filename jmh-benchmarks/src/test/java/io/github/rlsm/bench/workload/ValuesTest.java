// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

  private static ByteBuffer value(int length, long id, long version) {
    ByteBuffer value = ByteBuffer.allocate(length);
    Values.fill(value, length, id, version);
    return value;
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 23, 24, 100, 1_000})
  void acceptsWrittenValue(int length) {
    ByteBuffer value = value(length, 7, 42);
    assertThat(value.remaining()).isEqualTo(length);
    assertThat(Values.isValid(value, length, 7)).isTrue();
    assertThat(Values.version(value, 7)).isEqualTo(42);
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 24, 100})
  void rejectsChangedByte(int length) {
    for (int i = 0; i < length; i++) {
      ByteBuffer value = value(length, 7, 42);
      value.put(i, (byte) (value.get(i) ^ 0x10));
      assertThat(Values.isValid(value, length, 7)).as("byte %d", i).isFalse();
    }
  }

  @Test
  void rejectsValueOfOtherKey() {
    assertThat(Values.isValid(value(100, 8, 42), 100, 7)).isFalse();
  }

  @Test
  void rejectsOtherLength() {
    assertThat(Values.isValid(value(99, 7, 42), 100, 7)).isFalse();
    assertThat(Values.isValid(ByteBuffer.allocate(0), 100, 7)).isFalse();
  }

  @Test
  void rejectsMixOfTwoVersions() {
    ByteBuffer torn = value(100, 7, 1);
    torn.put(50, value(100, 7, 2), 50, 50);
    assertThat(Values.isValid(torn, 100, 7)).isFalse();
  }

  @Test
  void acceptsValueInsideLargerBuffer() {
    ByteBuffer direct = ByteBuffer.allocateDirect(300);
    direct.put(100, value(100, 7, 42), 0, 100);
    assertThat(Values.isValid(direct.limit(200).position(100), 100, 7)).isTrue();
  }

  @Test
  void valuesDoNotCompress() {
    byte[] bytes = new byte[100 * 1_000];
    for (int i = 0; i < 1_000; i++) {
      System.arraycopy(value(100, i, 1).array(), 0, bytes, i * 100, 100);
    }
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    deflater.setInput(bytes);
    deflater.finish();
    assertThat(deflater.deflate(new byte[2 * bytes.length])).isGreaterThan(bytes.length);
    deflater.end();
  }
}
