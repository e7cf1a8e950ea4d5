// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Keys and values for tests. */
public final class TestBytes {

  private static final int SHOWN_BYTES = 40;
  private static final int RUN_BYTES_MIN = 8;

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

  /**
   * Formats bytes as a text that {@link #parse} reads: "null", or hex between brackets. A run of
   * equal bytes is written once with its length, as in {@code [6b.00*250.01]}.
   */
  public static String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    StringBuilder text = new StringBuilder("[");
    int literal = 0;
    for (int at = 0; at < bytes.length; ) {
      int end = at + 1;
      while (end < bytes.length && bytes[end] == bytes[at]) {
        end++;
      }
      if (end - at >= RUN_BYTES_MIN) {
        part(text, HexFormat.of().formatHex(bytes, literal, at));
        part(text, HexFormat.of().formatHex(bytes, at, at + 1) + "*" + (end - at));
        literal = end;
      }
      at = end;
    }
    part(text, HexFormat.of().formatHex(bytes, literal, bytes.length));
    return text.append(']').toString();
  }

  private static void part(StringBuilder text, String part) {
    if (!part.isEmpty()) {
      text.append(text.length() > 1 ? "." : "").append(part);
    }
  }

  /** Returns the bytes of a {@link #text}. */
  public static byte @Nullable [] parse(String text) {
    if (text.equals("null")) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String part : text.substring(1, text.length() - 1).split("\\.", -1)) {
      int star = part.indexOf('*');
      byte[] literal = HexFormat.of().parseHex(star < 0 ? part : part.substring(0, star));
      int count = star < 0 ? 1 : Integer.parseInt(part.substring(star + 1));
      for (int i = 0; i < count; i++) {
        bytes.writeBytes(literal);
      }
    }
    return bytes.toByteArray();
  }
}
