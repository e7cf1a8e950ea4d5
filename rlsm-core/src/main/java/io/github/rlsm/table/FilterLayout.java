// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

/**
 * The bit layout of a table's filter block (FORMAT.md, "Table", "Filter").
 *
 * <p>The filter is a Bloom filter in blocks of 64 bytes, one cache line each. All probes for a key
 * fall into one block. Let h be the {@link io.github.rlsm.base.KeyHash} of a key, g its low 32
 * bits, and b the number of blocks. The block is {@code (h >>> 32) · b >>> 32}. Each probe takes
 * the bit {@code g >>> 23} of the block, counted from the lowest bit of its first byte, and then
 * sets {@code g := g · 0x9E3779B9} (mod 2^32).
 *
 * <p>The length is a multiple of 64, without padding. A table without a filter has length 0 and 0
 * probes. The checksum is in the footer.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Filter".
 */
final class FilterLayout {

  static final int BLOCK_BYTES = 64;
  static final int PROBES_MAX = 18;

  /** Shifts the 32 bits of a probe to the number of one of the block's 512 bits. */
  static final int BIT_SHIFT = 32 - 9;

  static final int NEXT_PROBE = 0x9E3779B9;

  private FilterLayout() {}

  /** Number of the block for a hash. */
  static int block(long hash, int blockCount) {
    return (int) (((hash >>> 32) * blockCount) >>> 32);
  }

  /** The number of probes with about the lowest rate of false positives for a filter size. */
  static int probes(int bitsPerKey) {
    return (bitsPerKey * 3 + 3) / 5;
  }

  /** The number of blocks for a number of keys. */
  static int blockCount(long keys, int bitsPerKey) {
    long bits = keys * bitsPerKey;
    return Math.toIntExact((bits + 8 * BLOCK_BYTES - 1) / (8 * BLOCK_BYTES));
  }
}
