// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * Writes little-endian fields one after the other into a growing buffer.
 *
 * <p>Threads: one thread at a time.
 */
final class FieldWriter {

  /** The longest byte string a field can hold. */
  static final int BYTES_MAX = 0xFFFF;

  private ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

  FieldWriter u8(int value) {
    room(Byte.BYTES).put((byte) value);
    return this;
  }

  FieldWriter u32(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  FieldWriter u64(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** Writes a u16 length and the bytes. */
  FieldWriter bytes(byte[] value) {
    if (value.length > BYTES_MAX) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT, "%d bytes do not fit into a field of at most %d", value.length, BYTES_MAX));
    }
    room(Short.BYTES + value.length).putShort((short) value.length).put(value);
    return this;
  }

  /** Writes a u16 length and the text in UTF-8. */
  FieldWriter text(String value) {
    return bytes(value.getBytes(UTF_8));
  }

  byte[] toBytes() {
    byte[] bytes = new byte[buffer.position()];
    buffer.get(0, bytes);
    return bytes;
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      long doubled = Math.min(2L * buffer.capacity(), Integer.MAX_VALUE - 8);
      ByteBuffer larger =
          ByteBuffer.allocate((int) Math.max(needed, doubled)).order(ByteOrder.LITTLE_ENDIAN);
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }
}
