// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The encoding of a file name in metadata: a length of two bytes, and the name in ASCII. */
final class StoredName {

  /** The size of an empty name. */
  static final int BYTES_MIN = 2;

  private StoredName() {}

  /** The encoded size of a name. */
  static int bytes(String name) {
    return BYTES_MIN + name.length();
  }

  /** Writes a name at the buffer's position. */
  static void put(ByteBuffer out, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    out.putShort((short) bytes.length).put(bytes);
  }

  /** Reads a name at the buffer's position; null if the buffer ends within the name. */
  static @Nullable String get(ByteBuffer in) {
    if (in.remaining() < BYTES_MIN) {
      return null;
    }
    int length = in.getShort() & 0xffff;
    if (in.remaining() < length) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
