// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.LittleEndian;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the hashes of a table's keys and builds the filter, whose size depends on their number.
 *
 * <p>Threads: one thread at a time.
 */
final class FilterBuilder {

  private static final int CHUNK_HASHES = 8192;

  private final int bitsPerKey;
  private final List<long[]> full = new ArrayList<>();
  private long[] chunk = new long[CHUNK_HASHES];
  private int chunkSize;

  FilterBuilder(int bitsPerKey) {
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
