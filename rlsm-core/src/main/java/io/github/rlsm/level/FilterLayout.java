// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

/**
 * The bits of a table's filter block (FORMAT.md, "Table", "Filter"). Never change them.
 *
 * <p>A Bloom filter in blocks of 64 bytes, one cache line each: all probes for a key fall into one
 * block. With h the {@link io.github.rlsm.base.KeyHash} of a key and b the number of blocks, the
 * block is {@code (h >>> 32) · b >>> 32}, and the probes take the low 32 bits g of h: for each, the
 * bit {@code g >>> 23} of the block, counted from the lowest bit of its first byte; then {@code g
 * := g · 0x9E3779B9} (mod 2^32). The block's padding-free length is a multiple of 64; no filter has
 * length 0 and 0 probes. The footer holds its checksum.
 */
final class FilterLayout {

  static final int BLOCK_BYTES = 64;
  static final int PROBES_MAX = 18;

  /** From a probe's 32 bits to one of a block's 512. */
  static final int BIT_SHIFT = 32 - 9;

  static final int NEXT_PROBE = 0x9E3779B9;

  private FilterLayout() {}

  /** Number of the block that a hash falls into. */
  static int block(long hash, int blockCount) {
    return (int) (((hash >>> 32) * blockCount) >>> 32);
  }

  /** Probes that make the fewest false positives, or nearly, for a size of filter. */
  static int probes(int bitsPerKey) {
    return (bitsPerKey * 3 + 3) / 5;
  }

  /** Blocks for a number of keys. */
  static int blockCount(long keys, int bitsPerKey) {
    long bits = keys * bitsPerKey;
    return Math.toIntExact((bits + 8 * BLOCK_BYTES - 1) / (8 * BLOCK_BYTES));
  }
}
