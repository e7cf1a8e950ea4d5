// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.HFileStreamReader;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a value file for a {@link ValueWalk}. HBase does not say where a block is that it
 * found in its index. So this reader notes which block HBase's scanner reads.
 *
 * <p>It is never closed: that would close the stream of the file, which it shares.
 *
 * <p>Threads: the scan's thread.
 */
final class ValueBlocks extends HFileStreamReader implements ValueWalk.Blocks {

  private final Configuration settings;
  private final @Nullable BlockCache cache;
  private final boolean caches;
  private ValueWalk.@Nullable Block found;

  /**
   * Creates a reader that reads nothing yet.
   *
   * @param caches whether blocks that were read from the file are added to the block cache
   */
  ValueBlocks(
      ReaderContext file, HFileInfo info, CacheConfig caching, Configuration conf, boolean caches)
      throws IOException {
    super(file, info, caching, conf);
    this.settings = conf;
    this.cache = caching.getBlockCache().orElse(null);
    this.caches = caches;
  }

  @Override
  public ValueWalk.@Nullable Block find(ExtendedCell cell) throws IOException {
    found = null;
    try (HFileScanner scanner = getScanner(settings, caches, true, false)) {
      // Keys of the index have no sequence id, so the first cell sorts before the first key.
      if (scanner.seekTo(cell) < 0) {
        scanner.seekTo();
      }
    }
    return found;
  }

  @Override
  public ValueWalk.@Nullable Block cached(long position) {
    if (cache == null) {
      return null;
    }
    BlockCacheKey key =
        new BlockCacheKey(getPath(), position, isPrimaryReplicaReader(), BlockType.DATA);
    if (!(cache.getBlock(key, caches, false, true) instanceof HFileBlock block)) {
      return null;
    }
    try {
      return kept(position, block);
    } finally {
      block.release();
    }
  }

  @Override
  public HFileBlock readBlock(
      long position,
      long size,
      boolean cacheBlock,
      boolean pread,
      boolean isCompaction,
      boolean updateCacheMetrics,
      BlockType expected,
      DataBlockEncoding encoding,
      boolean cacheOnly)
      throws IOException {
    HFileBlock block = super.readBlock(
        position,
        size,
        cacheBlock,
        pread,
        isCompaction,
        updateCacheMetrics,
        expected,
        encoding,
        cacheOnly);
    if (block.getBlockType().isData()) {
      found = kept(position, block);
    }
    return block;
  }

  /** Copies a block if it is in memory that the cache frees when it evicts the block. */
  private static ValueWalk.Block kept(long position, HFileBlock block) {
    ByteBuff buffer = block.getBufferReadOnly();
    if (!block.isSharedMem() && buffer.hasArray() && buffer.arrayOffset() == 0) {
      return new ValueWalk.Block(position, buffer.array(), buffer.limit());
    }
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes, 0, bytes.length);
    return new ValueWalk.Block(position, bytes, bytes.length);
  }
}
