// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The filter of a table, read from its mapped memory. A probe touches one cache line of it.
 * {@link FilterLayout} tells the bits.
 *
 * <p>Threads: immutable; safe for use by many threads.
 */
final class BloomFilter {

  private final ByteBuffer memory;
  private final int start;
  private final int blockCount;
  private final int probes;

  /** Made of a block that lies inside the memory; without probes it lets every key through. */
  BloomFilter(ByteBuffer memory, int start, int length, int probes) {
    this.memory = memory;
    this.start = start;
    this.blockCount = length / FilterLayout.BLOCK_BYTES;
    this.probes = probes;
  }

  /** Whether the table may hold a key of this hash; if not, it certainly holds none. */
  boolean mightContain(long hash) {
    int line = start + FilterLayout.block(hash, blockCount) * FilterLayout.BLOCK_BYTES;
    int probe = (int) hash;
    for (int k = probes; k > 0; k--) {
      int bit = probe >>> FilterLayout.BIT_SHIFT;
      int word = LittleEndian.getInt(memory, line + ((bit >>> 5) << 2));
      // A shift takes the low five bits of its distance.
      if (((word >>> bit) & 1) == 0) {
        return false;
      }
      probe *= FilterLayout.NEXT_PROBE;
    }
    return true;
  }
}
