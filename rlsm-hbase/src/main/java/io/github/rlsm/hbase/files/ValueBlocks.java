// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.files.ValueIndex.Place;
import java.io.IOException;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a value file for a {@link ValueWalk}. It brings them into the window of a scan, and
 * some of them into the block cache.
 *
 * <p>Threads: the scan's thread.
 */
final class ValueBlocks implements ValueWalk.Blocks {

  private final ValueIndex index;
  private final ReadAhead window;
  private final @Nullable BlockCache cache;
  private final boolean usesCache;
  private final boolean adds;

  /** The block that came from the cache last. */
  private long cached = ValueWalk.NOWHERE;

  /** Reads blocks as HBase does. */
  private HFile.@Nullable Reader adding;

  /**
   * Creates an object that has read nothing.
   *
   * @param usesCache whether blocks may be added to the block cache, and be used more often there
   */
  ValueBlocks(ValueIndex index, ReadAhead window, boolean usesCache) {
    this.index = index;
    this.window = window;
    this.cache = index.cache();
    this.usesCache = usesCache;
    this.adds = usesCache && index.isAddedByNextWalk();
  }

  @Override
  public long find(ExtendedCell cell) throws IOException {
    Place place = index.find(cell);
    if (place == null) {
      return ValueWalk.NOWHERE;
    }
    bring(place.position());
    return window.holds(place.position(), 1) || window.load(place.position(), place.bytes())
        ? place.position()
        : ValueWalk.NOWHERE;
  }

  @Override
  public void bring(long position) {
    if (cache == null || window.holds(position, 1)) {
      return;
    }
    BlockCacheKey key = new BlockCacheKey(
        index.getName(), position, index.isPrimaryReplicaReader(), BlockType.DATA);
    if (cache.getBlock(key, usesCache, false, true) instanceof HFileBlock block) {
      try {
        hold(position, block);
        cached = position;
      } finally {
        block.release();
      }
    }
  }

  /** Copies a block if it is in memory that the cache frees when it evicts the block. */
  private void hold(long position, HFileBlock block) {
    ByteBuff buffer = block.getBufferReadOnly();
    if (!block.isSharedMem() && buffer.hasArray() && buffer.arrayOffset() == 0) {
      window.hold(position, buffer.array(), buffer.limit());
    } else {
      byte[] bytes = new byte[buffer.limit()];
      buffer.get(0, bytes, 0, bytes.length);
      window.hold(position, bytes, bytes.length);
    }
  }

  @Override
  public void entered(long position, long bytes) throws IOException {
    // If the window ends in the block, the rest of it would need another request.
    if (!adds || position == cached || !window.holds(position, bytes)) {
      return;
    }
    if (adding == null) {
      adding = index.through(window);
    }
    adding
        .readBlock(
            position, bytes, true, true, false, false, BlockType.DATA, DataBlockEncoding.NONE)
        .release();
  }
}
