// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Collects the rows of one file and builds its {@link RowFilter}, sized by the number of rows.
 *
 * <p>Threads: one thread at a time.
 */
public final class RowFilterBuilder {

  /** A filter takes at most 8 MiB; with more rows, each row gets fewer bits and more rows pass. */
  static final int BLOCKS_MAX = (8 << 20) / RowFilter.BLOCK_BYTES;

  /**
   * Above this number of rows no filter is built: with less than 5 bits per row, too many rows
   * pass.
   */
  static final int ROWS_MAX = BLOCKS_MAX * 8 * RowFilter.BLOCK_BYTES / 5;

  private static final int HASHES_START = 1_024;

  private final int bitsPerRow;
  private long[] hashes = new long[HASHES_START];
  private int count;

  /** A builder of a filter with this many bits per row; 0 for no filter. */
  public RowFilterBuilder(int bitsPerRow) {
    this.bitsPerRow = bitsPerRow;
  }

  /** Adds a row by its {@linkplain RowHash hash}. */
  public void add(long hash) {
    if (bitsPerRow == 0 || count > ROWS_MAX) {
      return;
    }
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    hashes[count++] = hash;
  }

  /** The bytes for a file's metadata; empty if filters are disabled, or for no rows or too many. */
  public Optional<byte[]> bytes() {
    if (bitsPerRow == 0 || count == 0 || count > ROWS_MAX) {
      return Optional.empty();
    }
    long bits = (long) count * bitsPerRow;
    long blocks = (bits + 8 * RowFilter.BLOCK_BYTES - 1) / (8 * RowFilter.BLOCK_BYTES);
    int blockCount = (int) Math.min(BLOCKS_MAX, blocks);
    int probes = Math.min(RowFilter.PROBES_MAX, (bitsPerRow * 3 + 3) / 5);
    int blockBytes = blockCount * RowFilter.BLOCK_BYTES;
    byte[] bytes = new byte[StoredMark.FRAME_BYTES + 1 + blockBytes];
    ByteBuffer out = ByteBuffer.wrap(bytes).put(RowFilter.VERSION).put((byte) probes);
    for (int i = 0; i < count; i++) {
      RowFilter.add(bytes, blockCount, probes, hashes[i]);
    }
    return Optional.of(StoredMark.end(out.position(RowFilter.HEADER_BYTES + blockBytes)));
  }
}
