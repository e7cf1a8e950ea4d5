// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The filter of a table, read from its mapped memory. A lookup reads one cache line of it.
 * {@link FilterLayout} defines the bits.
 *
 * <p>Threads: immutable; safe for use by many threads.
 */
final class BloomFilter {

  private static final int FIRST_PROBES = 3;

  private final ByteBuffer memory;
  private final int start;
  private final int blockCount;
  private final int probes;

  /** Creates the filter of a block inside the memory. A filter without probes accepts every key. */
  BloomFilter(ByteBuffer memory, int start, int length, int probes) {
    this.memory = memory;
    this.start = start;
    this.blockCount = length / FilterLayout.BLOCK_BYTES;
    this.probes = probes;
  }

  /**
   * Whether the table may hold a key with this hash. If false, it certainly holds no such key.
   *
   * <p>The first few probes are all evaluated, although one failed probe would suffice. Which probe
   * fails is random, so a branch after each would be mispredicted often. For an absent key, all of
   * them rarely succeed. So the branch after them predicts well, and the processor fetches the line
   * of the next table's filter speculatively, while this line is still loading.
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

  /** Returns the bit of a probe as the lowest bit of a word. Its other bits are undefined. */
  private int bit(int line, int probe) {
    int bit = probe >>> FilterLayout.BIT_SHIFT;
    // A shift uses only the low five bits of its distance.
    return LittleEndian.getInt(memory, line + ((bit >>> 5) << 2)) >>> bit;
  }

  /**
   * Collects the hashes of a table's keys and builds the filter, whose size depends on their
   * number.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Builder {

    private static final int CHUNK_HASHES = 8192;

    private final int bitsPerKey;
    private final List<long[]> full = new ArrayList<>();
    private long[] chunk = new long[CHUNK_HASHES];
    private int chunkSize;

    Builder(int bitsPerKey) {
      this.bitsPerKey = bitsPerKey;
    }

    void add(long hash) {
      if (chunkSize == CHUNK_HASHES) {
        full.add(chunk);
        chunk = new long[CHUNK_HASHES];
        chunkSize = 0;
      }
      chunk[chunkSize++] = hash;
    }

    /** Bytes that the filter will have with the present keys. */
    long bytesSoFar() {
      return (long) FilterLayout.BLOCK_BYTES * FilterLayout.blockCount(keys(), bitsPerKey);
    }

    private long keys() {
      return (long) full.size() * CHUNK_HASHES + chunkSize;
    }

    byte[] block() {
      int blockCount = FilterLayout.blockCount(keys(), bitsPerKey);
      byte[] block = new byte[blockCount * FilterLayout.BLOCK_BYTES];
      int probes = FilterLayout.probes(bitsPerKey);
      if (probes > 0) {
        for (long[] hashes : full) {
          fill(block, blockCount, probes, hashes, CHUNK_HASHES);
        }
        fill(block, blockCount, probes, chunk, chunkSize);
      }
      return block;
    }

    private static void fill(byte[] block, int blockCount, int probes, long[] hashes, int size) {
      for (int i = 0; i < size; i++) {
        long hash = hashes[i];
        int line = FilterLayout.block(hash, blockCount) * FilterLayout.BLOCK_BYTES;
        int probe = (int) hash;
        for (int k = 0; k < probes; k++) {
          int bit = probe >>> FilterLayout.BIT_SHIFT;
          int word = line + ((bit >>> 5) << 2);
          LittleEndian.putInt(block, word, LittleEndian.getInt(block, word) | (1 << (bit & 31)));
          probe *= FilterLayout.NEXT_PROBE;
        }
      }
    }
  }
}
