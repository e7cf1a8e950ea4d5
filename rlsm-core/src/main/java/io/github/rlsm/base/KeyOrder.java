// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The order of internal keys: bytewise, unsigned; a key sorts before its extensions.
 *
 * <p>Keys are compared 8 bytes at a time. The last step begins 8 bytes before the end, so that it
 * may compare some bytes again. A loop for single bytes would take longer to run and to compile.
 */
public final class KeyOrder {

  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle BUFFER_LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyOrder() {}

  /** Compares two keys in arrays. */
  public static int compare(
      byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    if (common < Long.BYTES) {
      return compare(prefix(a, aOffset, aLength), aLength, prefix(b, bOffset, bLength), bLength);
    }
    int last = common - Long.BYTES;
    for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) {
      long x = (long) ARRAY_LONG.get(a, aOffset + i);
      long y = (long) ARRAY_LONG.get(b, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
      if (i == last) {
        return aLength - bLength;
      }
    }
  }

  /** Compares a key in an array with a key in a buffer. */
  public static int compare(
      byte[] a, int aOffset, int aLength, ByteBuffer b, int bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    if (common < Long.BYTES) {
      return compare(prefix(a, aOffset, aLength), aLength, prefix(b, bOffset, bLength), bLength);
    }
    int last = common - Long.BYTES;
    for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) {
      long x = (long) ARRAY_LONG.get(a, aOffset + i);
      long y = (long) BUFFER_LONG.get(b, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
      if (i == last) {
        return aLength - bLength;
      }
    }
  }

  /** Compares two keys in buffers. */
  public static int compare(
      ByteBuffer a, int aOffset, int aLength, ByteBuffer b, int bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    if (common < Long.BYTES) {
      return compare(prefix(a, aOffset, aLength), aLength, prefix(b, bOffset, bLength), bLength);
    }
    int last = common - Long.BYTES;
    for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) {
      long x = (long) BUFFER_LONG.get(a, aOffset + i);
      long y = (long) BUFFER_LONG.get(b, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
      if (i == last) {
        return aLength - bLength;
      }
    }
  }

  /** Compares two keys, at least one of them shorter than 8 bytes, by their prefixes. */
  private static int compare(long aPrefix, int aLength, long bPrefix, int bLength) {
    return aPrefix == bPrefix ? aLength - bLength : Long.compareUnsigned(aPrefix, bPrefix);
  }

  /** Returns whether a key in an array and a key in a buffer have the same bytes. */
  public static boolean equal(
      byte[] a, int aOffset, int aLength, ByteBuffer b, int bOffset, int bLength) {
    return aLength == bLength && compare(a, aOffset, aLength, b, bOffset, bLength) == 0;
  }

  /**
   * Returns the first 8 bytes of a key as an unsigned big-endian number, padded with zeros at the
   * end. If two prefixes differ, the keys have the same unsigned order as the prefixes.
   */
  public static long prefix(byte[] key, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) ARRAY_LONG.get(key, offset);
    }
    int end = offset + length;
    if (end >= Long.BYTES && length > 0) {
      // Load the 8 bytes that end at the key's end, and shift out the bytes before its start.
      return (long) ARRAY_LONG.get(key, end - Long.BYTES) << (64 - 8 * length);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (key[offset + i] & 0xFFL) << (56 - 8 * i);
    }
    return prefix;
  }

  /** Like {@link #prefix(byte[], int, int)}, for a key in a buffer. */
  public static long prefix(ByteBuffer key, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) BUFFER_LONG.get(key, offset);
    }
    int end = offset + length;
    if (end >= Long.BYTES && length > 0) {
      // Load the 8 bytes that end at the key's end, and shift out the bytes before its start.
      return (long) BUFFER_LONG.get(key, end - Long.BYTES) << (64 - 8 * length);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (key.get(offset + i) & 0xFFL) << (56 - 8 * i);
    }
    return prefix;
  }
}
