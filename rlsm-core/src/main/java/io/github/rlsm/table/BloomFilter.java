// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

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
   * Builds the filter of a table, whose size depends on the number of keys.
   *
   * <p>A small table's hashes are kept until all are known. A large one would take 8 bytes of heap
   * for each of millions of keys. So from {@value #HASHES_MAX} keys on, their bits are set at once,
   * in a filter for the most keys that the table may get. In the end, neighbouring blocks are
   * combined if they are too many. The combined filter has the bits that a filter of its size would
   * have got from the start: see {@link FilterLayout#block}.
   *
   * <p>The bits are in small arrays. The G1 collector gives an array of at least half a region
   * whole regions, and extends the heap for them.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Builder {

    /** The largest number of keys whose hashes are kept: 1 MiB. */
    static final int HASHES_MAX = 128 << 10;

    private static final int CHUNK_HASHES = 8 << 10;

    /** A filter of this many blocks can be divided by each of {@link #FOLDS}. */
    private static final int FOLDABLE_BLOCKS = 12;

    /** The numbers of neighbouring blocks that may be combined. */
    private static final int[] FOLDS = {12, 6, 4, 3, 2, 1};

    private static final int PIECE_BLOCKS = 2 << 10;

    private final int bitsPerKey;
    private final int probes;
    private final LongSupplier keysMax;
    private long keys;

    // Until the size of the filter is decided.
    private final List<long[]> hashes = new ArrayList<>();

    // Afterwards.
    private byte[][] pieces = {};
    private int blockCount;

    /**
     * Creates a filter without keys.
     *
     * @param keysMax returns the number of keys that the table will have at most. It is asked once,
     *     after {@value #HASHES_MAX} keys. If there are more, the filter has more false positives
     */
    Builder(int bitsPerKey, LongSupplier keysMax) {
      this.bitsPerKey = bitsPerKey;
      this.probes = FilterLayout.probes(bitsPerKey);
      this.keysMax = keysMax;
    }

    void add(long hash) {
      if (keys == HASHES_MAX) {
        int needed = FilterLayout.blockCount(Math.max(keys, keysMax.getAsLong()), bitsPerKey);
        setKept((needed + FOLDABLE_BLOCKS - 1) / FOLDABLE_BLOCKS * FOLDABLE_BLOCKS);
      }
      if (blockCount > 0) {
        set(hash);
      } else if (bitsPerKey > 0) {
        keep(hash);
      }
      keys++;
    }

    private void keep(long hash) {
      int slot = (int) (keys % CHUNK_HASHES);
      if (slot == 0) {
        hashes.add(new long[CHUNK_HASHES]);
      }
      hashes.get(hashes.size() - 1)[slot] = hash;
    }

    /** Bytes that the filter will have with the present keys. */
    long bytesSoFar() {
      return (long) FilterLayout.BLOCK_BYTES * FilterLayout.blockCount(keys, bitsPerKey);
    }

    /** Returns the bytes of the filter, in pieces. No key may be added afterwards. */
    byte[][] pieces() {
      int needed = FilterLayout.blockCount(keys, bitsPerKey);
      if (blockCount == 0) {
        setKept(needed);
      } else {
        fold(needed);
      }
      return pieces;
    }

    /** Sets the bits of the hashes that were kept in a filter of that many blocks. */
    private void setKept(int blocks) {
      allocate(blocks);
      long left = keys;
      for (long[] chunk : hashes) {
        for (int i = 0; i < Math.min(CHUNK_HASHES, left); i++) {
          set(chunk[i]);
        }
        left -= CHUNK_HASHES;
      }
      hashes.clear();
    }

    private void allocate(int blocks) {
      blockCount = blocks;
      pieces = new byte[(blocks + PIECE_BLOCKS - 1) / PIECE_BLOCKS][];
      for (int i = 0; i < pieces.length; i++) {
        int ofPiece = Math.min(PIECE_BLOCKS, blocks - i * PIECE_BLOCKS);
        pieces[i] = new byte[ofPiece * FilterLayout.BLOCK_BYTES];
      }
    }

    private void set(long hash) {
      int block = FilterLayout.block(hash, blockCount);
      byte[] piece = pieces[block / PIECE_BLOCKS];
      int line = block % PIECE_BLOCKS * FilterLayout.BLOCK_BYTES;
      int probe = (int) hash;
      for (int k = 0; k < probes; k++) {
        int bit = probe >>> FilterLayout.BIT_SHIFT;
        int word = line + ((bit >>> 5) << 2);
        LittleEndian.putInt(piece, word, LittleEndian.getInt(piece, word) | (1 << (bit & 31)));
        probe *= FilterLayout.NEXT_PROBE;
      }
    }

    /** Combines as many neighbouring blocks as leave at least the blocks that are needed. */
    private void fold(int needed) {
      int fold = 0;
      while (FOLDS[fold] > 1 && blockCount / FOLDS[fold] < needed) {
        fold++;
      }
      int each = FOLDS[fold];
      if (each == 1) {
        return;
      }
      byte[][] wide = pieces;
      allocate(blockCount / each);
      for (int block = 0; block < blockCount * each; block++) {
        int from = block % PIECE_BLOCKS * FilterLayout.BLOCK_BYTES;
        int into = block / each % PIECE_BLOCKS * FilterLayout.BLOCK_BYTES;
        or(wide[block / PIECE_BLOCKS], from, pieces[block / each / PIECE_BLOCKS], into);
      }
    }

    private static void or(byte[] from, int fromOffset, byte[] into, int intoOffset) {
      for (int i = 0; i < FilterLayout.BLOCK_BYTES; i++) {
        into[intoOffset + i] |= from[fromOffset + i];
      }
    }
  }
}
