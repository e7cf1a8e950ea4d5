// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

/**
 * Decides how large the blocks of a file are. HBase reads whole blocks, and walks through a block
 * from its beginning to find a cell.
 *
 * <p><b>A small file among large ones</b> has blocks of its share of the rows. A short scan reads a
 * block of each file over its rows. If ten runs hold a tenth of the rows each, they have ten blocks
 * of the family's size where one file would have one. With a tenth of the size, the runs together
 * read what one file would.
 *
 * <p><b>Key files</b> have an eighth of the family's size. A block of 64 KiB has 700 shadows.
 *
 * <p><b>Files of separated values</b> have blocks of {@value #SMALL} bytes. A scan in the order of
 * keys reads most of their values from a block each.
 *
 * <p><b>Merged files of separated values</b> have blocks of {@value #MERGED} bytes. A scan reads
 * neighbouring blocks, and searches the block cache for each. Rejected: the size of the family. A
 * Get reads the whole block for one value.
 *
 * @param family the block size of the column family, the largest size
 */
public record BlockBytes(int family) {

  private static final int SMALL = 8 << 10;
  private static final int MERGED = 16 << 10;
  private static final int KEYS_PART = 8;
  private static final int KEYS_MIN = 4 << 10;

  /** The block size of key files. */
  public int keys() {
    return Math.min(family, Math.max(KEYS_MIN, family / KEYS_PART));
  }

  /** The block size of files of separated values. */
  public int values() {
    return Math.min(family, SMALL);
  }

  /** The block size of merged files of separated values. */
  public int mergedValues() {
    return Math.min(family, MERGED);
  }

  /** Whether files have blocks of the family's size, however few of the rows they have. */
  public boolean isOneSize() {
    return ofShare(0) == family;
  }

  /**
   * The block size of files with a part of the rows. It is the family's size divided by a power of
   * two, at least that part of it, and at least {@value #SMALL} bytes.
   *
   * @param share the part, from 0 to 1, as in {@code Layout.share}
   */
  public int ofShare(double share) {
    int bytes = family;
    for (int half = bytes / 2; half >= Math.max(SMALL, family * share); half /= 2) {
      bytes = half;
    }
    return bytes;
  }
}
