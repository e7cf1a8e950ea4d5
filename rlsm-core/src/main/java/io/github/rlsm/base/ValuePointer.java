// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;

/**
 * The location of a value in the value log.
 *
 * <p>On disk (little-endian, {@value #BYTES} bytes; FORMAT.md, "Value pointer"):
 *
 * <pre>
 * | offset | size | name        | meaning                                              |
 * |      0 |    4 | segment     | number of the value-log segment, 1 or more           |
 * |      4 |    4 | position    | byte offset of the record, or, with bit 31 set, of   |
 * |        |      |             | the operation inside a batch record                  |
 * |      8 |    4 | valueLength | bytes of the value                                   |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Value pointer".
 *
 * @param segment number of the value-log segment
 * @param position offset of the record or operation, and the batch flag in bit 31
 * @param valueLength bytes of the value
 */
public record ValuePointer(int segment, int position, int valueLength) {

  /** Encoded length. */
  public static final int BYTES = 12;

  private static final int IN_BATCH = 1 << 31;

  /** Returns a pointer to a record, or to an operation in a batch record. */
  public static ValuePointer of(int segment, int offset, boolean inBatch, int valueLength) {
    return new ValuePointer(segment, inBatch ? offset | IN_BATCH : offset, valueLength);
  }

  /** Reads the pointer at {@code offset} of a little-endian buffer. */
  public static ValuePointer read(ByteBuffer buffer, int offset) {
    long start = LittleEndian.getLong(buffer, offset);
    return new ValuePointer(
        (int) start, (int) (start >>> Integer.SIZE), LittleEndian.getMappedInt(buffer, offset + 8));
  }

  /** Reads the pointer at {@code offset} of an array. */
  public static ValuePointer read(byte[] array, int offset) {
    long start = LittleEndian.getLong(array, offset);
    return new ValuePointer(
        (int) start, (int) (start >>> Integer.SIZE), LittleEndian.getInt(array, offset + 8));
  }

  /** Writes the pointer at {@code offset} of a little-endian buffer. */
  public void write(ByteBuffer buffer, int offset) {
    buffer.putInt(offset, segment);
    buffer.putInt(offset + 4, position);
    buffer.putInt(offset + 8, valueLength);
  }

  /** Byte offset of the record or operation in its segment. */
  public int offset() {
    return position & ~IN_BATCH;
  }

  /** Returns whether {@link #offset()} is the offset of an operation inside a batch record. */
  public boolean inBatch() {
    return position < 0;
  }
}
