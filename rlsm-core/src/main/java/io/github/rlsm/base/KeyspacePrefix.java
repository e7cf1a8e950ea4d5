// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;

/**
 * The bytes that stand before a user key and make it an internal key: the keyspace's id, in one to
 * four bytes, so that ids keep their order and none is the beginning of another.
 *
 * <pre>
 * | id                  | bytes                                   |
 * |               0–127 | 0xxxxxxx                                |
 * |          128–16,383 | 10xxxxxx xxxxxxxx                       |
 * |    16,384–2,097,151 | 110xxxxx xxxxxxxx xxxxxxxx              |
 * | 2,097,152–2^28 − 1  | 1110xxxx xxxxxxxx xxxxxxxx xxxxxxxx     |
 * </pre>
 */
public final class KeyspacePrefix {

  /** The largest id. */
  public static final int ID_MAX = (1 << 28) - 1;

  /** The most bytes a prefix takes. */
  public static final int BYTES_MAX = 4;

  private KeyspacePrefix() {}

  /** The prefix of a keyspace. */
  public static byte[] of(int id) {
    if (id < 0 || id > ID_MAX) {
      throw new IllegalArgumentException("keyspace id " + id);
    }
    int length = id < 1 << 7 ? 1 : id < 1 << 14 ? 2 : id < 1 << 21 ? 3 : 4;
    byte[] prefix = new byte[length];
    for (int i = 0; i < length; i++) {
      prefix[i] = (byte) (id >>> (Byte.SIZE * (length - 1 - i)));
    }
    // As many leading ones as there are bytes behind the first.
    prefix[0] |= (byte) (0xFF00 >>> (length - 1));
    return prefix;
  }

  /** The keys of a keyspace, as a range of internal keys. */
  public static KeyRange range(int id) {
    return KeyRange.of(of(id), id == ID_MAX ? new byte[] {(byte) 0xF0} : of(id + 1));
  }

  /** The keys that begin with a prefix, as a range of internal keys. */
  public static KeyRange rangeOf(byte[] prefix) {
    return range(id(ByteBuffer.wrap(prefix), 0));
  }

  /** Length of the prefix that begins with that byte. */
  public static int length(byte first) {
    return Math.min(Integer.numberOfLeadingZeros(~first << 24) + 1, BYTES_MAX);
  }

  /** The id that an internal key begins with; the key has at least as many bytes. */
  public static int id(ByteBuffer key, int offset) {
    int length = length(key.get(offset));
    int id = key.get(offset) & 0xFF >>> length;
    for (int i = 1; i < length; i++) {
      id = (id << Byte.SIZE) | (key.get(offset + i) & 0xFF);
    }
    return id;
  }
}
