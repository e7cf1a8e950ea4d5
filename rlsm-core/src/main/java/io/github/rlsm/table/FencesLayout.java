// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

/**
 * The byte layout of a table's fence block (FORMAT.md, "Table", "Fences").
 *
 * <pre>
 * | offset     | size    | type  | name          | meaning, valid range                           |
 * |          0 |      8n | u64[] | prefixes      | of each page's separator the 8 bytes after the |
 * |            |         |       |               | table's shared prefix, as a big-endian number, |
 * |            |         |       |               | zero-padded                                    |
 * |         8n |  4(n+1) | u32[] | units         | where each page begins, in units from the file |
 * |            |         |       |               | start; last the end of the pages; ascending    |
 * |     12n+ 4 |  4(n+1) | u32[] | entriesBefore | entries in the pages before; last all entries  |
 * |     16n+ 8 |  4(n+1) | u32[] | separatorAt   | where each separator begins in the bytes below;|
 * |            |         |       |               | last the end of all                            |
 * |     20n+12 |         | bytes | separators    | key by key, ascending                          |
 * |            | 0 to 63 |       | padding       | zeroes, up to a multiple of 64                 |
 * </pre>
 *
 * <p>n is the number of pages. A page's separator is the shortest prefix of the page's first key
 * that is greater than the last key of the page before. The separator of the first page is the
 * prefix that all keys of the table share. The checksum of the block is in the footer.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Fences".
 */
final class FencesLayout {

  /**
   * Blocks end at multiples of this number, which aligns the next block, the filter, to cache
   * lines.
   */
  static final int ALIGNMENT = 64;

  /** Bytes of a prefix. The prefixes begin the block. */
  static final int PREFIX_BYTES = 8;

  /** Bytes of a number in each of the other arrays. */
  static final int NUMBER_BYTES = 4;

  private FencesLayout() {}

  static int units(int pageCount) {
    return 8 * pageCount;
  }

  static int entriesBefore(int pageCount) {
    return 12 * pageCount + 4;
  }

  static int separatorStarts(int pageCount) {
    return 16 * pageCount + 8;
  }

  static int separators(int pageCount) {
    return 20 * pageCount + 12;
  }

  /** Length of the block, or −1 if a file cannot hold it. */
  static int length(int pageCount, int separatorBytes) {
    long length = 20L * pageCount + 12 + separatorBytes;
    long padded = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return padded > Integer.MAX_VALUE ? -1 : (int) padded;
  }
}
