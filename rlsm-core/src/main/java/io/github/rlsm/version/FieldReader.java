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
 * Reads back what {@link FieldWriter} wrote, and trusts none of it: whatever cannot be a field is a
 * {@link CorruptionException} that names the file and the offset.
 *
 * <p>Threads: one thread at a time.
 */
final class FieldReader {

  private final ByteBuffer bytes;
  private final String file;
  private final long start;

  /**
   * @param bytes the fields; a view of them is made, so the buffer is left as it is
   * @param file the file they stand in, for messages
   * @param start where in the file they begin, for messages
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

  /** A u32 of at most {@link Integer#MAX_VALUE}. */
  int u31() {
    int value = need(Integer.BYTES).getInt();
    if (value < 0) {
      throw corrupt("number " + Integer.toUnsignedString(value));
    }
    return value;
  }

  /** A u32 of which every bit counts. */
  int u32() {
    return need(Integer.BYTES).getInt();
  }

  /** A u64 of at most {@link Long#MAX_VALUE}. */
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
      throw new CorruptionException(file, offset(), "text that is not UTF-8", e);
    }
  }

  /** How many elements follow, checked against the bytes that are left. */
  int count(int elementBytesMin) {
    int count = u31();
    if (count > bytes.remaining() / elementBytesMin) {
      throw corrupt(
          String.format(Locale.ROOT, "count of %d elements in %d bytes", count, bytes.remaining()));
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
          Locale.ROOT, "field of %d bytes where %d are left", count, bytes.remaining()));
    }
    return bytes;
  }
}
