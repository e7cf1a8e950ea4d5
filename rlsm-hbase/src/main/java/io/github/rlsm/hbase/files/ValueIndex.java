// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileStreamReader;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;

/**
 * Tells where the blocks of a value file are. HBase has no method for it, and the class of its
 * index readers is not public. So HBase's scanner searches the index, and gets a block without
 * bytes when it reads the block of cells.
 *
 * <p>Blocks of the index come from the file's reader, and with it from the block cache. This object
 * reads nothing itself. It is never closed, because that would close the stream of the file.
 *
 * <p>Thread-safe.
 */
final class ValueIndex extends HFileStreamReader {

  /** The block cache has room while more than this part of it is free; HBase keeps 1 to 5 %. */
  private static final int ROOM = 8;

  /** One of so many walks adds blocks to a block cache that has no room. */
  private static final int WALKS_PER_ADDING = 16;

  private static final int NO_BLOCK = -1;

  private final HFile.Reader file;
  private final CacheConfig caching;
  private final Configuration settings;
  private final AtomicInteger walks = new AtomicInteger();

  /**
   * Where a block is.
   *
   * @param position its position in the file
   * @param bytes its size in the file
   */
  record Place(long position, int bytes) {}

  /** A block of cells whose bytes were not read. */
  private static final class Unread extends HFileBlock {

    private final Place place;

    Unread(Place place, HFileContext format) {
      super(
          BlockType.DATA,
          place.bytes - HConstants.HFILEBLOCK_HEADER_SIZE,
          place.bytes - HConstants.HFILEBLOCK_HEADER_SIZE,
          NO_BLOCK,
          ByteBuff.wrap(ByteBuffer.allocate(0)),
          DONT_FILL_HEADER,
          place.position,
          NO_BLOCK,
          place.bytes,
          format,
          ByteBuffAllocator.HEAP);
      this.place = place;
    }
  }

  /** Searches the index, and does not look into the block that it finds. */
  private final class Search extends HFileScannerImpl {

    private @Nullable Place found;

    Search() {
      super(ValueIndex.this, false, true, false);
    }

    @Override
    protected int loadBlockAndSeekToKey(
        HFileBlock block, Cell nextIndexedKey, boolean rewind, Cell key, boolean seekBefore) {
      found = ((Unread) block).place;
      return 0;
    }
  }

  /**
   * Creates the index of an open file.
   *
   * @param unread a reader for which the file system gets no request
   */
  ValueIndex(HFile.Reader file, ReadAhead unread, CacheConfig caching, Configuration conf)
      throws IOException {
    super(through(file, unread), file.getHFileInfo(), caching, conf);
    this.file = file;
    this.caching = caching;
    this.settings = conf;
  }

  /** Whether this is the index of a file that was opened by a reader. */
  @SuppressWarnings("ReferenceEquality") // a file that is opened again has another reader
  boolean isOf(HFile.Reader reader) {
    return file == reader;
  }

  /** The block cache; null if there is none. */
  @Nullable
  BlockCache cache() {
    return caching.getBlockCache().orElse(null);
  }

  /**
   * Whether a walk that begins adds the blocks that it reads to the block cache. It does if the
   * cache has room. Otherwise each block would evict another one, so only some walks do. A range of
   * rows that is scanned often is cached nevertheless.
   */
  boolean isAddedByNextWalk() {
    BlockCache cache = cache();
    return cache != null
        && (cache.getFreeSize() > cache.getMaxSize() / ROOM
            || Math.floorMod(walks.getAndIncrement(), WALKS_PER_ADDING) == 0);
  }

  /** Creates a reader of the whole file that reads by means of a scan's reader. */
  HFile.Reader through(ReadAhead window) throws IOException {
    return new HFileStreamReader(through(file, window), file.getHFileInfo(), caching, settings);
  }

  private static ReaderContext through(HFile.Reader file, ReadAhead window) {
    return window.asFile().in(file.getContext());
  }

  /** Finds the block that may have a cell; null if the file has no cells. */
  @Nullable
  Place find(Cell cell) throws IOException {
    Place place = search(cell);
    if (place != null) {
      return place;
    }
    // Keys of the index have no sequence id, so the first cell sorts before the first key.
    Optional<Cell> first = getFirstKey();
    return first.isPresent() ? search(first.get()) : null;
  }

  private @Nullable Place search(Cell cell) throws IOException {
    try (Search search = new Search()) {
      search.seekTo(cell);
      return search.found;
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
    if (expected.isData()) {
      return new Unread(new Place(position, (int) size), getFileContext());
    }
    return file.readBlock(
        position,
        size,
        cacheBlock,
        pread,
        isCompaction,
        updateCacheMetrics,
        expected,
        encoding,
        cacheOnly);
  }
}
