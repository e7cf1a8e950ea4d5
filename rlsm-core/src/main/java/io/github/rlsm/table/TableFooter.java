// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #BYTES} bytes of a table: the lengths of its blocks, and the file header
 * (FORMAT.md, "Table", "Footer").
 *
 * <pre>
 * | offset | size | type | name               | meaning, valid range                           |
 * |      0 |    8 | u64  | pagesLength        | bytes of all pages, a multiple of unitBytes    |
 * |      8 |    4 | u32  | pageCount          | 1 or more                                      |
 * |     12 |    4 | u32  | unitBytes          | pages begin at multiples of this: pageBytes,   |
 * |        |      |      |                    | or 512 if compression is not 0                 |
 * |     16 |    4 | u32  | pageBytes          | power of two, 512 to 32,768                    |
 * |     20 |    4 | u32  | fencesLength       | multiple of 64                                 |
 * |     24 |    4 | u32  | fencesChecksum     | CRC32C of the fence block                      |
 * |     28 |    4 | u32  | filterLength       | multiple of 64                                 |
 * |     32 |    4 | u32  | filterChecksum     | CRC32C of the filter block                     |
 * |     36 |    4 | u32  | propertiesLength   |                                                |
 * |     40 |    4 | u32  | propertiesChecksum | CRC32C of the properties block                 |
 * |     44 |    2 | u16  | sharedLength       | length of the prefix that all keys share       |
 * |     46 |    1 | u8   | filterProbes       | 1 to 18; 0 if there is no filter               |
 * |     47 |    1 | u8   | filterBitsPerKey   | for information                                |
 * |     48 |    1 | u8   | compression        | {@link PageCompression} that pages may use     |
 * |     49 |   11 |      | reserved           | 0                                              |
 * |     60 |    4 | u32  | checksum           | CRC32C of bytes 0 to 59 and 64 to 95           |
 * |     64 |   32 |      | header             | {@link FileHeader}, here at the end of the file|
 * </pre>
 *
 * <p>The blocks follow each other without gaps: pages (from offset 0), fences, filter, properties,
 * footer.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Footer".
 */
record TableFooter(
    int pagesLength,
    int pageCount,
    int unitBytes,
    int pageBytes,
    Block fences,
    Block filter,
    Block properties,
    int sharedLength,
    int filterProbes,
    int filterBitsPerKey,
    PageCompression compression) {

  static final int BYTES = 96;

  /** Pages that may be compressed start at multiples of this, so that compression saves space. */
  static final int COMPRESSED_UNIT_BYTES = 512;

  private static final int PAGES_LENGTH = 0;
  private static final int PAGE_COUNT = 8;
  private static final int UNIT_BYTES = 12;
  private static final int PAGE_BYTES = 16;
  private static final int FENCES = 20;
  private static final int FILTER = 28;
  private static final int PROPERTIES = 36;
  private static final int SHARED_LENGTH = 44;
  private static final int FILTER_PROBES = 46;
  private static final int FILTER_BITS_PER_KEY = 47;
  private static final int COMPRESSION = 48;
  private static final int CHECKSUM = 60;
  private static final int HEADER = 64;

  /**
   * A block of the table: its length, and the CRC32C of its bytes.
   *
   * @param length in bytes
   * @param checksum of the bytes
   */
  record Block(int length, int checksum) {

    static Block of(byte[] bytes) {
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return new Block(bytes.length, (int) crc.getValue());
    }

    private static Block read(ByteBuffer buffer, int offset) {
      return new Block(buffer.getInt(offset), buffer.getInt(offset + 4));
    }

    private void write(ByteBuffer buffer, int offset) {
      buffer.putInt(offset, length).putInt(offset + 4, checksum);
    }
  }

  static int unitBytes(int pageBytes, PageCompression compression) {
    return compression == PageCompression.NONE ? pageBytes : COMPRESSED_UNIT_BYTES;
  }

  byte[] encode(FileHeader header) {
    byte[] bytes = new byte[BYTES];
    ByteBuffer footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    footer.putLong(PAGES_LENGTH, pagesLength);
    footer.putInt(PAGE_COUNT, pageCount);
    footer.putInt(UNIT_BYTES, unitBytes);
    footer.putInt(PAGE_BYTES, pageBytes);
    fences.write(footer, FENCES);
    filter.write(footer, FILTER);
    properties.write(footer, PROPERTIES);
    footer.putShort(SHARED_LENGTH, (short) sharedLength);
    footer.put(FILTER_PROBES, (byte) filterProbes);
    footer.put(FILTER_BITS_PER_KEY, (byte) filterBitsPerKey);
    footer.put(COMPRESSION, (byte) compression.code());
    header.encode(footer, HEADER);
    footer.putInt(CHECKSUM, checksum(footer, 0));
    return bytes;
  }

  int fencesOffset() {
    return pagesLength;
  }

  int filterOffset() {
    return fencesOffset() + fences.length;
  }

  int propertiesOffset() {
    return filterOffset() + filter.length;
  }

  /**
   * Reads the footer of a table whose {@link FileHeader} was checked. Checks that its fields are
   * consistent with each other and with the length of the file.
   *
   * @throws CorruptionException if the footer is damaged
   */
  static TableFooter decode(ByteBuffer memory, int fileLength, String file) {
    int at = fileLength - BYTES;
    if (memory.getInt(at + CHECKSUM) != checksum(memory, at)) {
      throw new CorruptionException(file, at, "the footer's checksum is wrong");
    }
    long pagesLength = memory.getLong(at + PAGES_LENGTH);
    Block fences = Block.read(memory, at + FENCES);
    Block filter = Block.read(memory, at + FILTER);
    Block properties = Block.read(memory, at + PROPERTIES);
    if (pagesLength < 0
        || pagesLength > at
        || (fences.length | filter.length | properties.length) < 0
        || pagesLength + fences.length + filter.length + properties.length != at) {
      throw new CorruptionException(
          file, at, "the lengths of the blocks do not add up to the length of the file");
    }
    int compression = memory.get(at + COMPRESSION) & 0xFF;
    if (!PageCompression.isKnown(compression)) {
      throw new CorruptionException(file, at, "unknown compression " + compression);
    }
    TableFooter footer = new TableFooter(
        (int) pagesLength,
        memory.getInt(at + PAGE_COUNT),
        memory.getInt(at + UNIT_BYTES),
        memory.getInt(at + PAGE_BYTES),
        fences,
        filter,
        properties,
        memory.getShort(at + SHARED_LENGTH) & 0xFFFF,
        memory.get(at + FILTER_PROBES) & 0xFF,
        memory.get(at + FILTER_BITS_PER_KEY) & 0xFF,
        PageCompression.of(compression));
    String problem = footer.problem();
    if (problem != null) {
      throw new CorruptionException(file, at, problem);
    }
    return footer;
  }

  private @Nullable String problem() {
    if (!TableSettings.isPageSize(pageBytes) || unitBytes != unitBytes(pageBytes, compression)) {
      return "impossible page size " + pageBytes + " with units of " + unitBytes + " bytes";
    }
    if (pagesLength % unitBytes != 0 || pageCount < 1 || pageCount > pagesLength / unitBytes) {
      return "impossible number of pages: " + pageCount + " in " + pagesLength + " bytes";
    }
    if (fences.length % FencesLayout.ALIGNMENT != 0
        || 20L * pageCount + 12 + sharedLength > fences.length) {
      return "impossible fence block: " + fences.length + " bytes for " + pageCount + " pages";
    }
    if (filter.length % FilterLayout.BLOCK_BYTES != 0
        || (filter.length == 0) != (filterProbes == 0)
        || filterProbes > FilterLayout.PROBES_MAX) {
      return "impossible filter: " + filter.length + " bytes with " + filterProbes + " probes";
    }
    return null;
  }

  private static int checksum(ByteBuffer buffer, int footer) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, buffer, footer, CHECKSUM);
    MappedChecksum.update(crc, buffer, footer + HEADER, FileHeader.BYTES);
    return (int) crc.getValue();
  }
}
