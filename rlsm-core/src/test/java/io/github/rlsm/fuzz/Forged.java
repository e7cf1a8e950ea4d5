// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Corrects the checksums of bytes after a change, so that a fuzzer reaches code behind a checksum.
 * Offsets and salts are taken from FORMAT.md.
 */
public final class Forged {

  /** Length of the common file header. */
  public static final int HEADER_BYTES = 32;

  private static final int HEADER_CRC = 12;

  private final byte[] bytes;
  private final ByteBuffer buffer;

  /** Creates a copy of an input. */
  public Forged(byte[] input) {
    bytes = input.clone();
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The bytes of a buffer from its beginning up to its limit. */
  public static byte[] bytesOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  /** The changed bytes. */
  public byte[] bytes() {
    return bytes;
  }

  /** The changed bytes as a little-endian buffer. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Whether a range lies in the bytes. */
  public boolean has(int from, int length) {
    return from >= 0 && length >= 0 && length <= bytes.length - from;
  }

  /** Seals the common file header at an offset, if there is room for one. */
  public Forged header(int at) {
    int afterCrc = HEADER_CRC + Integer.BYTES;
    return sum()
        .range(at, at + HEADER_CRC)
        .range(at + afterCrc, at + HEADER_BYTES)
        .putAt(at + HEADER_CRC);
  }

  /** Begins a checksum. */
  public Sum sum() {
    return new Sum();
  }

  /** A checksum of some ranges and numbers, in the order in which they are added. */
  public final class Sum {

    private final CRC32C crc = new CRC32C();
    private boolean possible = true;

    private Sum() {}

    /** Adds the bytes from one offset up to another. */
    public Sum range(int from, int to) {
      possible &= has(from, to - from);
      if (possible) {
        crc.update(bytes, from, to - from);
      }
      return this;
    }

    /** Adds a number that is not in the bytes, for example a salt. */
    public Sum number(int number) {
      for (int i = 0; i < Integer.BYTES; i++) {
        crc.update(number >>> (Byte.SIZE * i));
      }
      return this;
    }

    /**
     * Writes the checksum at an offset, unless a part of the offset or of the ranges lies outside
     * of the bytes.
     */
    public Forged putAt(int offset) {
      if (possible && has(offset, Integer.BYTES)) {
        buffer.putInt(offset, (int) crc.getValue());
      }
      return Forged.this;
    }
  }
}
