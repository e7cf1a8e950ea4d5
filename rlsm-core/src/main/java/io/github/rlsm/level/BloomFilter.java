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

  private static final int FIRST_PROBES = 3;

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

  /**
   * Whether the table may hold a key of this hash; if not, it certainly holds none.
   *
   * <p>The first few probes are all asked, though one that fails would be enough: which one it is
   * is chance, and a branch on it mispredicted each time. That all of them pass for a key that is
   * not there is rare, so the processor runs ahead to the next table's filter while this one's line
   * is on its way.
   */
  boolean mightContain(long hash) {
    int line = start + FilterLayout.block(hash, blockCount) * FilterLayout.BLOCK_BYTES;
    int probe = (int) hash;
    int left = probes;
    if (left >= FIRST_PROBES) {
      int second = probe * FilterLayout.NEXT_PROBE;
      int third = second * FilterLayout.NEXT_PROBE;
      if ((bit(line, probe) & bit(line, second) & bit(line, third) & 1) == 0) {
        return false;
      }
      probe = third * FilterLayout.NEXT_PROBE;
      left -= FIRST_PROBES;
    }
    for (; left > 0; left--) {
      if ((bit(line, probe) & 1) == 0) {
        return false;
      }
      probe *= FilterLayout.NEXT_PROBE;
    }
    return true;
  }

  /** The bit that a probe takes of a line, with others above it. */
  private int bit(int line, int probe) {
    int bit = probe >>> FilterLayout.BIT_SHIFT;
    // A shift takes the low five bits of its distance.
    return LittleEndian.getInt(memory, line + ((bit >>> 5) << 2)) >>> bit;
  }
}
