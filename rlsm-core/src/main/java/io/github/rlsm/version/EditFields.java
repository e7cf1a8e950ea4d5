// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;

/**
 * The encoding of the fields of which {@link EditLayout} composes changes: little-endian numbers,
 * and byte strings after their length.
 */
final class EditFields {

  /** The longest byte string a field can hold. */
  private static final int BYTES_MAX = 0xFFFF;

  private EditFields() {}

  /**
   * Writes little-endian fields one after the other into a growing buffer.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Writer {

    private ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    Writer u8(int value) {
      room(Byte.BYTES).put((byte) value);
      return this;
    }

    Writer u32(int value) {
      room(Integer.BYTES).putInt(value);
      return this;
    }

    Writer u64(long value) {
      room(Long.BYTES).putLong(value);
      return this;
    }

    /** Writes a u16 length and the bytes. */
    Writer bytes(byte[] value) {
      if (value.length > BYTES_MAX) {
        throw new IllegalArgumentException(String.format(
            Locale.ROOT,
            "%d bytes do not fit into a field of at most %d",
            value.length,
            BYTES_MAX));
      }
      room(Short.BYTES + value.length).putShort((short) value.length).put(value);
      return this;
    }

    /** Writes a u16 length and the text in UTF-8. */
    Writer text(String value) {
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

  /**
   * Reads the fields that {@link Writer} wrote. Checks each field. For an impossible field, throws
   * a {@link CorruptionException} with the file and the offset.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Reader {

    private final ByteBuffer bytes;
    private final String file;
    private final long start;

    /**
     * Creates a reader.
     *
     * @param bytes the fields; the reader uses a view of them and does not change the buffer
     * @param file the file that contains the fields, for messages
     * @param start offset of the fields in the file, for messages
     */
    Reader(ByteBuffer bytes, String file, long start) {
      this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
      this.file = file;
      this.start = start;
    }

    boolean hasMore() {
      return bytes.hasRemaining();
    }

    int u8() {
      return need(Byte.BYTES).get() & 0xFF;
    }

    /** Reads a u32 of at most {@link Integer#MAX_VALUE}. */
    int u31() {
      int value = need(Integer.BYTES).getInt();
      if (value < 0) {
        throw corrupt("number " + Integer.toUnsignedString(value));
      }
      return value;
    }

    /** Reads a u32 with any value. */
    int u32() {
      return need(Integer.BYTES).getInt();
    }

    /** Reads a u64 of at most {@link Long#MAX_VALUE}. */
    long u63() {
      long value = need(Long.BYTES).getLong();
      if (value < 0) {
        throw corrupt("number " + Long.toUnsignedString(value));
      }
      return value;
    }

    byte[] bytes() {
      byte[] value = new byte[need(Short.BYTES).getShort() & BYTES_MAX];
      need(value.length).get(value);
      return value;
    }

    String text() {
      try {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
      } catch (CharacterCodingException e) {
        throw new CorruptionException(file, offset(), "the text is not valid UTF-8", e);
      }
    }

    /** Reads the number of elements that follow, and checks it against the remaining bytes. */
    int count(int elementBytesMin) {
      int count = u31();
      if (count > bytes.remaining() / elementBytesMin) {
        throw corrupt(String.format(
            Locale.ROOT, "count of %d elements in %d remaining bytes", count, bytes.remaining()));
      }
      return count;
    }

    long offset() {
      return start + bytes.position();
    }

    String file() {
      return file;
    }

    CorruptionException corrupt(String found) {
      return new CorruptionException(file, offset(), "impossible " + found);
    }

    private ByteBuffer need(int count) {
      if (bytes.remaining() < count) {
        throw corrupt(String.format(
            Locale.ROOT, "field of %d bytes; remaining bytes: %d", count, bytes.remaining()));
      }
      return bytes;
    }
  }
}
