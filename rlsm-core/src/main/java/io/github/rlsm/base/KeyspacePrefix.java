// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;

/**
 * The prefix that turns a user key into an internal key: the keyspace id in one to four bytes. The
 * encoding preserves the order of ids, and no encoded id is a prefix of another.
 *
 * <pre>
 * | id                  | bytes                                   |
 * |               0–127 | 0xxxxxxx                                |
 * |          128–16,383 | 10xxxxxx xxxxxxxx                       |
 * |    16,384–2,097,151 | 110xxxxx xxxxxxxx xxxxxxxx              |
 * | 2,097,152–2^28 − 1  | 1110xxxx xxxxxxxx xxxxxxxx xxxxxxxx     |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Internal key".
 */
public final class KeyspacePrefix {

  /** The largest id. */
  public static final int ID_MAX = (1 << 28) - 1;

  /** Length of the longest prefix. */
  public static final int BYTES_MAX = 4;

  private KeyspacePrefix() {}

  /** Returns the prefix of a keyspace. */
  public static byte[] of(int id) {
    if (id < 0 || id > ID_MAX) {
      throw new IllegalArgumentException(
          "keyspace id " + id + " is out of range; the largest is " + ID_MAX);
    }
    int length = id < 1 << 7 ? 1 : id < 1 << 14 ? 2 : id < 1 << 21 ? 3 : 4;
    byte[] prefix = new byte[length];
    for (int i = 0; i < length; i++) {
      prefix[i] = (byte) (id >>> (Byte.SIZE * (length - 1 - i)));
    }
    // The number of leading one bits is the number of bytes after the first.
    prefix[0] |= (byte) (0xFF00 >>> (length - 1));
    return prefix;
  }

  /**
   * Builds an internal key at the start of a buffer, from a prefix and a user key.
   *
   * @return the buffer, or a larger one if the key does not fit
   */
  public static byte[] join(byte[] buffer, byte[] prefix, byte[] key, int offset, int length) {
    byte[] joined = ensure(buffer, prefix.length + length);
    for (int i = 0; i < prefix.length; i++) {
      joined[i] = prefix[i];
    }
    System.arraycopy(key, offset, joined, prefix.length, length);
    return joined;
  }

  /** Returns the buffer, or a larger one if an internal key of this length does not fit. */
  public static byte[] ensure(byte[] buffer, int length) {
    return length <= buffer.length ? buffer : new byte[Integer.highestOneBit(length) * 2];
  }

  /** Returns the range of internal keys that belong to a keyspace. */
  public static KeyRange range(int id) {
    return KeyRange.of(of(id), id == ID_MAX ? new byte[] {(byte) 0xF0} : of(id + 1));
  }

  /** Returns the range of internal keys that begin with a prefix. */
  public static KeyRange rangeOf(byte[] prefix) {
    return range(id(ByteBuffer.wrap(prefix), 0));
  }

  /** Returns the length of a prefix, given its first byte. */
  public static int length(byte first) {
    return Math.min(Integer.numberOfLeadingZeros(~first << 24) + 1, BYTES_MAX);
  }

  /** Returns the keyspace id of an internal key. The key must hold the whole prefix. */
  public static int id(ByteBuffer key, int offset) {
    int length = length(key.get(offset));
    int id = key.get(offset) & 0xFF >>> length;
    for (int i = 1; i < length; i++) {
      id = (id << Byte.SIZE) | (key.get(offset + i) & 0xFF);
    }
    return id;
  }
}
