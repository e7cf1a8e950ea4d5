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
record TableFooter(PageSection pages, FenceSection fences, FilterSection filter, Block properties) {

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

    static Block of(byte[]... pieces) {
      CRC32C crc = new CRC32C();
      int length = 0;
      for (byte[] piece : pieces) {
        crc.update(piece);
        length += piece.length;
      }
      return new Block(length, (int) crc.getValue());
    }

    private static Block read(ByteBuffer buffer, int offset) {
      return new Block(buffer.getInt(offset), buffer.getInt(offset + 4));
    }

    private void write(ByteBuffer buffer, int offset) {
      buffer.putInt(offset, length).putInt(offset + 4, checksum);
    }
  }

  /**
   * The pages of the table.
   *
   * @param length bytes of all pages
   * @param count number of the pages
   * @param pageBytes the length that a page should have
   * @param compression the compression that pages may use
   */
  record PageSection(int length, int count, int pageBytes, PageCompression compression) {

    /** Pages begin at multiples of this. */
    int unitBytes() {
      return TableFooter.unitBytes(pageBytes, compression);
    }
  }

  /**
   * The fences of the table.
   *
   * @param block where they lie
   * @param sharedLength length of the prefix that all keys share
   */
  record FenceSection(Block block, int sharedLength) {}

  /**
   * The filter of the table.
   *
   * @param block where it lies; empty if there is no filter
   * @param probes bits to test for a key
   * @param bitsPerKey the setting of the writer, for information
   */
  record FilterSection(Block block, int probes, int bitsPerKey) {}

  static int unitBytes(int pageBytes, PageCompression compression) {
    return compression == PageCompression.NONE ? pageBytes : COMPRESSED_UNIT_BYTES;
  }

  byte[] encode(FileHeader header) {
    byte[] bytes = new byte[BYTES];
    ByteBuffer footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    footer.putLong(PAGES_LENGTH, pages.length);
    footer.putInt(PAGE_COUNT, pages.count);
    footer.putInt(UNIT_BYTES, pages.unitBytes());
    footer.putInt(PAGE_BYTES, pages.pageBytes);
    fences.block.write(footer, FENCES);
    filter.block.write(footer, FILTER);
    properties.write(footer, PROPERTIES);
    footer.putShort(SHARED_LENGTH, (short) fences.sharedLength);
    footer.put(FILTER_PROBES, (byte) filter.probes);
    footer.put(FILTER_BITS_PER_KEY, (byte) filter.bitsPerKey);
    footer.put(COMPRESSION, (byte) pages.compression.code());
    header.encode(footer, HEADER);
    footer.putInt(CHECKSUM, checksum(footer, 0));
    return bytes;
  }

  int fencesOffset() {
    return pages.length;
  }

  int filterOffset() {
    return fencesOffset() + fences.block.length;
  }

  int propertiesOffset() {
    return filterOffset() + filter.block.length;
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
    PageSection pages = new PageSection(
        (int) pagesLength,
        memory.getInt(at + PAGE_COUNT),
        memory.getInt(at + PAGE_BYTES),
        PageCompression.of(compression));
    TableFooter footer = new TableFooter(
        pages,
        new FenceSection(fences, memory.getShort(at + SHARED_LENGTH) & 0xFFFF),
        new FilterSection(
            filter,
            memory.get(at + FILTER_PROBES) & 0xFF,
            memory.get(at + FILTER_BITS_PER_KEY) & 0xFF),
        properties);
    String problem = problem(pages, memory.getInt(at + UNIT_BYTES));
    problem = problem == null ? footer.problem() : problem;
    if (problem != null) {
      throw new CorruptionException(file, at, problem);
    }
    return footer;
  }

  private static @Nullable String problem(PageSection pages, int unitBytes) {
    if (!TableWriter.Settings.isPageSize(pages.pageBytes) || unitBytes != pages.unitBytes()) {
      return "impossible page size " + pages.pageBytes + " with units of " + unitBytes + " bytes";
    }
    if (pages.length % unitBytes != 0
        || pages.count < 1
        || pages.count > pages.length / unitBytes) {
      return "impossible number of pages: " + pages.count + " in " + pages.length + " bytes";
    }
    return null;
  }

  private @Nullable String problem() {
    int fenceBytes = fences.block.length;
    if (fenceBytes % FencesLayout.ALIGNMENT != 0
        || 20L * pages.count + 12 + fences.sharedLength > fenceBytes) {
      return "impossible fence block: " + fenceBytes + " bytes for " + pages.count + " pages";
    }
    int filterBytes = filter.block.length;
    if (filterBytes % FilterLayout.BLOCK_BYTES != 0
        || (filterBytes == 0) != (filter.probes == 0)
        || filter.probes > FilterLayout.PROBES_MAX) {
      return "impossible filter: " + filterBytes + " bytes with " + filter.probes + " probes";
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
