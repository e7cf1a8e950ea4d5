// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.jspecify.annotations.Nullable;

/**
 * The block cache as a single store file uses it. When HBase archives a file, it removes the file's
 * blocks from the cache, twice. Each time a cache on the heap looks at all of its blocks. With
 * blocks of 8 KiB these are eight times as many, and a merge of value files archives up to 64
 * files. In a profile of scans with such merges, this was a sixth of the work of a region server.
 * So this class notes whether the file has any blocks in the cache.
 *
 * <p>Other caches have an index of their files, and are used as they are.
 *
 * <p>Thread-safe.
 */
final class CacheOfFile extends CacheConfig {

  private final CacheConfig ofStore;
  private final Optional<BlockCache> cache;

  private CacheOfFile(CacheConfig ofStore, BlockCache cache) {
    super(ofStore);
    this.ofStore = ofStore;
    boolean isWritten = ofStore.shouldCacheDataOnWrite()
        || ofStore.shouldCacheIndexesOnWrite()
        || ofStore.shouldCacheBloomsOnWrite()
        || ofStore.shouldCacheCompactedBlocksOnWrite();
    this.cache = Optional.of(new Noting(cache, isWritten));
  }

  /** Returns the configuration of a store's cache for one of its files. */
  static CacheConfig of(CacheConfig ofStore) {
    return ofStore.getBlockCache().orElse(null) instanceof FirstLevelBlockCache cache
        ? new CacheOfFile(ofStore, cache)
        : ofStore;
  }

  @Override
  public Optional<BlockCache> getBlockCache() {
    return cache;
  }

  // HBase may change the store's options while the file is open.

  @Override
  public boolean shouldCacheDataOnRead() {
    return ofStore.shouldCacheDataOnRead();
  }

  @Override
  public boolean shouldCacheBlockOnRead(BlockCategory category) {
    return ofStore.shouldCacheBlockOnRead(category);
  }

  @Override
  public boolean shouldCacheDataOnWrite() {
    return ofStore.shouldCacheDataOnWrite();
  }

  @Override
  public boolean shouldEvictOnClose() {
    return ofStore.shouldEvictOnClose();
  }

  @Override
  public boolean shouldReadBlockFromCache(BlockType type) {
    return ofStore.shouldReadBlockFromCache(type);
  }

  /** Notes whether blocks were added since the last eviction. */
  private static final class Noting implements BlockCache {
    private final BlockCache cache;
    private volatile boolean hasBlocks;

    Noting(BlockCache cache, boolean hasBlocks) {
      this.cache = cache;
      this.hasBlocks = hasBlocks;
    }

    private void note() {
      if (!hasBlocks) {
        hasBlocks = true;
      }
    }

    @Override
    public void cacheBlock(BlockCacheKey key, Cacheable block, boolean isInMemory) {
      note();
      cache.cacheBlock(key, block, isInMemory);
    }

    @Override
    public void cacheBlock(BlockCacheKey key, Cacheable block, boolean isInMemory, boolean waits) {
      note();
      cache.cacheBlock(key, block, isInMemory, waits);
    }

    @Override
    public void cacheBlock(BlockCacheKey key, Cacheable block) {
      note();
      cache.cacheBlock(key, block);
    }

    @Override
    public @Nullable Cacheable getBlock(
        BlockCacheKey key, boolean isCaching, boolean isRepeated, boolean isCounted) {
      Cacheable block = cache.getBlock(key, isCaching, isRepeated, isCounted);
      if (block != null) {
        note();
      }
      return block;
    }

    @Override
    public int evictBlocksByHfileName(String name) {
      if (!hasBlocks) {
        return 0;
      }
      hasBlocks = false;
      return cache.evictBlocksByHfileName(name);
    }

    @Override
    public boolean evictBlock(BlockCacheKey key) {
      return cache.evictBlock(key);
    }

    @Override
    public CacheStats getStats() {
      return cache.getStats();
    }

    @Override
    public void shutdown() {
      cache.shutdown();
    }

    @Override
    public long size() {
      return cache.size();
    }

    @Override
    public long getMaxSize() {
      return cache.getMaxSize();
    }

    @Override
    public long getFreeSize() {
      return cache.getFreeSize();
    }

    @Override
    public long getCurrentSize() {
      return cache.getCurrentSize();
    }

    @Override
    public long getCurrentDataSize() {
      return cache.getCurrentDataSize();
    }

    @Override
    public long getBlockCount() {
      return cache.getBlockCount();
    }

    @Override
    public long getDataBlockCount() {
      return cache.getDataBlockCount();
    }

    @Override
    public Iterator<CachedBlock> iterator() {
      return cache.iterator();
    }

    @Override
    public BlockCache[] getBlockCaches() {
      return cache.getBlockCaches();
    }
  }
}
