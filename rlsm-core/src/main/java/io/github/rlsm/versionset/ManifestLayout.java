// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.MappedChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The byte layout of a record of the manifest (little-endian; FORMAT.md, "Manifest"). The records
 * follow the file header without gaps.
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                                     |
 * |      0 |    4 | u32  | crc32c  | CRC32C of bytes 4 to 8+length-1                          |
 * |      4 |    4 | u32  | length  | bytes that follow, 9 or more                             |
 * |      8 |    1 | u8   | format  | encoding of the changes, 1                               |
 * |      9 |    8 | u64  | number  | 0 for the file's first record, then one more each        |
 * |     17 |    … |      | changes | a version edit; if empty, a mark: earlier records are    |
 * |        |      |      |         | complete                                                 |
 * </pre>
 *
 * <p>The number ties a record to its place. So the reader rejects bytes that happen to look like a
 * record, and a record from another place.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Manifest".
 */
final class ManifestLayout {

  /** The encoding of the changes: FORMAT.md, "Version edit". */
  static final int FORMAT = 1;

  private static final int CRC_OFFSET = 0;
  private static final int LENGTH_OFFSET = 4;
  private static final int FORMAT_OFFSET = 8;
  private static final int NUMBER_OFFSET = 9;

  /** Offset of the changes in a record; also the length of the shortest record. */
  static final int CHANGES_OFFSET = 17;

  private static final int LENGTH_MIN = CHANGES_OFFSET - FORMAT_OFFSET;

  private ManifestLayout() {}

  /** Length of a record with {@code changesBytes} bytes of changes. */
  static int recordBytes(int changesBytes) {
    return Math.addExact(CHANGES_OFFSET, changesBytes);
  }

  /** Writes a record at the buffer's position and advances the position to its end. */
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
   * Length of the record at an offset, or 0 if the record is incomplete or its checksum is wrong.
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

  /** The format of the complete record at an offset. */
  static int formatAt(ByteBuffer file, int offset) {
    return file.get(offset + FORMAT_OFFSET) & 0xFF;
  }

  /** The number of the complete record at an offset. */
  static long numberAt(ByteBuffer file, int offset) {
    return file.getLong(offset + NUMBER_OFFSET);
  }

  /**
   * Finds a complete record after {@code offset} whose number is possible at its place, if record
   * {@code next} was expected at {@code offset}.
   *
   * @return the offset of the first such record; -1 if there is none
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
