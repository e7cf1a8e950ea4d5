// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOrderTest {

  @Test
  void allFormsAgreeWithTheJdk() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] a = key(random);
      byte[] b = random.nextInt(4) == 0 ? a.clone() : key(random);
      int offset = random.nextInt(10);
      byte[] arrayA = padded(a, offset);
      byte[] arrayB = padded(b, 3);
      ByteBuffer bufferA = ByteBuffer.wrap(arrayA);
      ByteBuffer bufferB = ByteBuffer.allocateDirect(arrayB.length).put(0, arrayB);
      int expected = Integer.signum(Arrays.compareUnsigned(a, b));
      assertThat(Integer.signum(KeyOrder.compare(arrayA, offset, a.length, arrayB, 3, b.length)))
          .isEqualTo(expected);
      assertThat(Integer.signum(KeyOrder.compare(arrayA, offset, a.length, bufferB, 3, b.length)))
          .isEqualTo(expected);
      assertThat(Integer.signum(KeyOrder.compare(bufferA, offset, a.length, bufferB, 3, b.length)))
          .isEqualTo(expected);
      assertThat(KeyOrder.equal(arrayA, offset, a.length, bufferB, 3, b.length))
          .isEqualTo(expected == 0);
    }
  }

  @Test
  void prefixesAreTheFirstEightBytesPaddedWithZeroes() {
    Random random = new Random(12);
    for (int i = 0; i < 5000; i++) {
      byte[] key = key(random);
      int offset = random.nextInt(10);
      byte[] array = padded(key, offset);
      long expected = ByteBuffer.wrap(Arrays.copyOf(key, 8)).getLong();
      assertThat(KeyOrder.prefix(array, offset, key.length)).isEqualTo(expected);
      ByteBuffer buffer = ByteBuffer.allocateDirect(array.length).put(0, array);
      assertThat(KeyOrder.prefix(buffer, offset, key.length)).isEqualTo(expected);
      // The same key at the end and at the start of an array.
      assertThat(KeyOrder.prefix(key, 0, key.length)).isEqualTo(expected);
    }
  }

  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(20)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) - 1);
    }
    return key;
  }

  private static byte[] padded(byte[] key, int offset) {
    byte[] padded = new byte[offset + key.length + 5];
    Arrays.fill(padded, (byte) 0x55);
    System.arraycopy(key, 0, padded, offset, key.length);
    return padded;
  }
}
