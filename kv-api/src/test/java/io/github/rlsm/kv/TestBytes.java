// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Keys and values for tests. */
public final class TestBytes {

  private static final int SHOWN_BYTES = 40;

  private TestBytes() {}

  /** The UTF-8 bytes of a text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns one byte for each number, 0 to 255. */
  public static byte[] bytes(int... numbers) {
    byte[] bytes = new byte[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      bytes[i] = (byte) numbers[i];
    }
    return bytes;
  }

  /** Returns bytes that look random and depend only on the seed and length. */
  public static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /**
   * Formats bytes as a short text: "null", hex, or length and checksum of a long array. Different
   * bytes have different texts, except for a collision of checksums.
   */
  public static String show(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    if (bytes.length <= SHOWN_BYTES) {
      return "[" + HexFormat.of().formatHex(bytes) + "]";
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return "[" + HexFormat.of().formatHex(bytes, 0, 8) + "… " + bytes.length + " bytes, crc "
        + Long.toHexString(crc.getValue()) + "]";
  }
}
