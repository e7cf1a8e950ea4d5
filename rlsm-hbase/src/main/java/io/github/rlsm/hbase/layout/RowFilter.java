// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of a file's rows, stored in the file's own metadata. Like the
 * {@linkplain PartitionMark mark} it is a hint: a file whose filter is absent or damaged is
 * searched.
 *
 * <p>The filter consists of blocks of 64 bytes, one cache line each. Let h be the
 * {@linkplain RowHash hash} of a row and b the number of blocks. The block is {@code (h >>> 32) · b
 * >>> 32}. The probes use the low 32 bits g of h. Each probe tests the bit {@code g >>> 23} of the
 * block, counted from the lowest bit of its first byte; then {@code g := g · 0x9E3779B9} (mod
 * 2^32).
 *
 * <table>
 *   <caption>Bytes of version 1, big-endian like all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>1</td><td>1</td><td>number of probes, 1 to 18</td></tr>
 *   <tr><td>2</td><td>64 · b</td><td>the blocks; at least one</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <p>Threads: immutable; any.
 */
public final class RowFilter implements RowHint {

  static final byte VERSION = 1;
  static final int HEADER_BYTES = 2;
  static final int BLOCK_BYTES = 64;
  static final int PROBES_MAX = 18;

  private static final int BIT_SHIFT = 32 - 9;
  private static final int NEXT_PROBE = 0x9E3779B9;

  private final byte[] bytes;
  private final int blockCount;
  private final int probes;

  private RowFilter(byte[] bytes, int blockCount, int probes) {
    this.bytes = bytes;
    this.blockCount = blockCount;
    this.probes = probes;
  }

  /**
   * Decodes a filter, which keeps the given array; empty if the bytes are absent, damaged or of
   * another version.
   */
  public static Optional<RowFilter> decode(byte @Nullable [] bytes) {
    ByteBuffer in = StoredMark.content(bytes, VERSION, 1 + BLOCK_BYTES);
    if (bytes == null || in == null) {
      return Optional.empty();
    }
    int probes = in.get();
    if (probes < 1 || probes > PROBES_MAX || in.remaining() % BLOCK_BYTES != 0) {
      return Optional.empty();
    }
    return Optional.of(new RowFilter(bytes, in.remaining() / BLOCK_BYTES, probes));
  }

  @Override
  public boolean mayHold(long hash) {
    int block = block(hash, blockCount);
    int probe = (int) hash;
    for (int i = 0; i < probes; i++) {
      if ((bytes[at(block, probe)] & bit(probe)) == 0) {
        return false;
      }
      probe *= NEXT_PROBE;
    }
    return true;
  }

  /** The filter's size in memory. */
  public int byteCount() {
    return bytes.length;
  }

  /** Sets the bits of a hash. */
  static void add(byte[] bytes, int blockCount, int probes, long hash) {
    int block = block(hash, blockCount);
    int probe = (int) hash;
    for (int i = 0; i < probes; i++) {
      bytes[at(block, probe)] |= (byte) bit(probe);
      probe *= NEXT_PROBE;
    }
  }

  private static int block(long hash, int blockCount) {
    return (int) (((hash >>> 32) * blockCount) >>> 32);
  }

  private static int at(int block, int probe) {
    return HEADER_BYTES + block * BLOCK_BYTES + (probe >>> BIT_SHIFT >>> 3);
  }

  private static int bit(int probe) {
    return 1 << (probe >>> BIT_SHIFT & 7);
  }
}
