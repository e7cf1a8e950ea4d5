// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.MappedChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of a record of the manifest (little-endian; FORMAT.md, "Manifest"). Records follow the
 * file header, one directly after the other.
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                                     |
 * |      0 |    4 | u32  | crc32c  | CRC32C of bytes 4 to 8+length-1                          |
 * |      4 |    4 | u32  | length  | bytes that follow, 9 or more                             |
 * |      8 |    1 | u8   | format  | how the changes are encoded, 1                           |
 * |      9 |    8 | u64  | number  | 0 for the file's first record, then one more each        |
 * |     17 |    … |      | changes | a version edit; none: a mark that all before it is whole |
 * </pre>
 *
 * <p>The number ties a record to its place, so that bytes which happen to look like a record, or a
 * record that stands elsewhere, are not taken for the next one.
 */
final class ManifestLayout {

  /** How the changes are encoded: {@link EditLayout}. */
  static final int FORMAT = 1;

  private static final int CRC_OFFSET = 0;
  private static final int LENGTH_OFFSET = 4;
  private static final int FORMAT_OFFSET = 8;
  private static final int NUMBER_OFFSET = 9;

  /** Where in a record the changes begin; also the length of the shortest record. */
  static final int CHANGES_OFFSET = 17;

  private static final int LENGTH_MIN = CHANGES_OFFSET - FORMAT_OFFSET;

  private ManifestLayout() {}

  /** Bytes of a record with so many bytes of changes. */
  static int recordBytes(int changesBytes) {
    return Math.addExact(CHANGES_OFFSET, changesBytes);
  }

  /** Puts a record at the buffer's position and moves it to the record's end. */
  static void put(ByteBuffer out, long number, byte[] changes) {
    ByteBuffer record =
        out.slice(out.position(), recordBytes(changes.length)).order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(LENGTH_OFFSET, LENGTH_MIN + changes.length);
    record.put(FORMAT_OFFSET, (byte) FORMAT);
    record.putLong(NUMBER_OFFSET, number);
    record.put(CHANGES_OFFSET, changes);
    record.putInt(CRC_OFFSET, checksum(record, 0, record.capacity()));
    out.position(out.position() + record.capacity());
  }

  /**
   * Bytes of the record at an offset, if it is whole and its checksum right; 0 if not.
   *
   * @param file the manifest's bytes, little-endian
   */
  static int recordBytesAt(ByteBuffer file, int offset) {
    int left = file.limit() - offset;
    if (left < CHANGES_OFFSET) {
      return 0;
    }
    int length = LittleEndian.getMappedInt(file, offset + LENGTH_OFFSET);
    if (length < LENGTH_MIN || length > left - FORMAT_OFFSET) {
      return 0;
    }
    int bytes = FORMAT_OFFSET + length;
    return file.getInt(offset + CRC_OFFSET) == checksum(file, offset, bytes) ? bytes : 0;
  }

  /** The format of the record at an offset, which is whole. */
  static int formatAt(ByteBuffer file, int offset) {
    return file.get(offset + FORMAT_OFFSET) & 0xFF;
  }

  /** The number of the record at an offset, which is whole. */
  static long numberAt(ByteBuffer file, int offset) {
    return file.getLong(offset + NUMBER_OFFSET);
  }

  /**
   * Where after {@code offset} a whole record begins whose number may stand there, given that
   * number {@code next} was to stand at {@code offset}; -1 if nowhere.
   */
  static int laterRecord(ByteBuffer file, int offset, long next) {
    long highest = next + (file.limit() - offset) / CHANGES_OFFSET;
    for (int at = offset + 1; at <= file.limit() - CHANGES_OFFSET; at++) {
      long number = numberAt(file, at);
      if (number >= next && number <= highest && recordBytesAt(file, at) > 0) {
        return at;
      }
    }
    return -1;
  }

  private static int checksum(ByteBuffer file, int offset, int bytes) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, file, offset + LENGTH_OFFSET, bytes - LENGTH_OFFSET);
    return (int) crc.getValue();
  }
}
