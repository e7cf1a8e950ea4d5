// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The frame of the records of a file whose records have consecutive numbers and follow each other
 * without gaps: the manifest and the file {@code SHARDS} (little-endian; FORMAT.md, "Manifest" and
 * "Shards").
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                                     |
 * |      0 |    4 | u32  | crc32c  | CRC32C of the file's salt and of bytes 4 to 8+length-1   |
 * |      4 |    4 | u32  | length  | bytes that follow                                        |
 * |      8 |    1 | u8   | format  | encoding of the content                                  |
 * |      9 |    8 | u64  | number  | one more than the number of the previous record          |
 * |     17 |    … |      | content |                                                          |
 * </pre>
 *
 * <p>The number ties a record to its place. So a reader rejects bytes that happen to look like a
 * record, and a record from another place.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Manifest" and "Shards".
 *
 * <p>Threads: any.
 */
public final class RecordFrame {

  private static final int CRC_OFFSET = 0;
  private static final int LENGTH_OFFSET = 4;
  private static final int FORMAT_OFFSET = 8;
  private static final int NUMBER_OFFSET = 9;

  /** Offset of the content in a record. */
  public static final int CONTENT_OFFSET = 17;

  private final int format;
  private final int bytesMin;
  private final byte[] salt;

  /**
   * Creates the frame of the records of one file.
   *
   * @param format the encoding of the content that this release writes and reads
   * @param contentBytesMin the length of the shortest content
   * @param salt goes into the checksum of every record; may be empty
   */
  public RecordFrame(int format, int contentBytesMin, byte[] salt) {
    this.format = format;
    this.bytesMin = CONTENT_OFFSET + contentBytesMin;
    this.salt = salt.clone();
  }

  /** Writes the fields before the content of a record, which fills the whole buffer. */
  public void seal(ByteBuffer record, long number) {
    record.putInt(LENGTH_OFFSET, record.capacity() - FORMAT_OFFSET);
    record.put(FORMAT_OFFSET, (byte) format);
    record.putLong(NUMBER_OFFSET, number);
    record.putInt(CRC_OFFSET, checksum(record, 0, record.capacity()));
  }

  /**
   * Returns the length of the record at an offset, or 0 if the record is incomplete or its checksum
   * is wrong.
   *
   * @param file the file's bytes, little-endian
   */
  public int bytesAt(ByteBuffer file, int offset) {
    int left = file.limit() - offset;
    if (left < bytesMin) {
      return 0;
    }
    int length = LittleEndian.getMappedInt(file, offset + LENGTH_OFFSET);
    if (length < bytesMin - FORMAT_OFFSET || length > left - FORMAT_OFFSET) {
      return 0;
    }
    int bytes = FORMAT_OFFSET + length;
    return file.getInt(offset + CRC_OFFSET) == checksum(file, offset, bytes) ? bytes : 0;
  }

  /** Returns the number of the complete record at an offset. */
  public static long numberAt(ByteBuffer file, int offset) {
    return file.getLong(offset + NUMBER_OFFSET);
  }

  /**
   * Checks the format and the number of the complete record at an offset.
   *
   * @param name the file's name, for messages
   * @throws FormatVersionException if this release does not support the format
   * @throws CorruptionException if the record has another number, so it belongs to another place
   */
  public void check(ByteBuffer file, int offset, long expected, String name) {
    int found = file.get(offset + FORMAT_OFFSET) & 0xFF;
    if (found != format) {
      throw new FormatVersionException(
          name,
          String.format(
              Locale.ROOT,
              "the record at offset %d has format %d, but this release reads format %d; open the"
                  + " store with the release that wrote it, or a newer one",
              offset,
              found,
              format));
    }
    long number = numberAt(file, offset);
    if (number != expected) {
      throw new CorruptionException(
          name,
          offset,
          String.format(Locale.ROOT, "found record %d, expected record %d", number, expected));
    }
  }

  /**
   * Finds a complete record after {@code offset} whose number is possible at its place, if record
   * {@code next} was expected at {@code offset}. A possible number is at least {@code next}. It is
   * larger by at most the number of records that fit into the rest of the file.
   *
   * @return the offset of the first such record; -1 if there is none
   */
  public int laterRecord(ByteBuffer file, int offset, long next) {
    long highest = next + (file.limit() - offset) / bytesMin;
    for (int at = offset + 1; at <= file.limit() - bytesMin; at++) {
      long number = numberAt(file, at);
      if (number >= next && number <= highest && bytesAt(file, at) > 0) {
        return at;
      }
    }
    return -1;
  }

  private int checksum(ByteBuffer file, int offset, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(salt);
    MappedChecksum.update(crc, file, offset + LENGTH_OFFSET, bytes - LENGTH_OFFSET);
    return (int) crc.getValue();
  }
}
