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
 * Reads the fields that {@link FieldWriter} wrote. Checks each field. For an impossible field,
 * throws a {@link CorruptionException} with the file and the offset.
 *
 * <p>Threads: one thread at a time.
 */
final class FieldReader {

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
  FieldReader(ByteBuffer bytes, String file, long start) {
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
    byte[] value = new byte[need(Short.BYTES).getShort() & 0xFFFF];
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
