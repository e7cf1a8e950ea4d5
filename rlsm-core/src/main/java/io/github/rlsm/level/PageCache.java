// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decompressed pages of any number of tables in one byte budget. Pages that are not compressed
 * never come here: they are read where the operating system caches them.
 *
 * <p>Threads: safe for use by many threads. Two that miss the same page at once both decompress it.
 */
public final class PageCache {

  /** What an entry costs beside the page itself: the cache's node, the key, the buffer object. */
  private static final int ENTRY_OVERHEAD_BYTES = 160;

  private final @Nullable Cache<PageKey, ByteBuffer> pages;
  private final AtomicLong nextTable = new AtomicLong();

  /**
   * An empty cache.
   *
   * @param budgetBytes heap that cached pages may take; 0 switches the cache off
   */
  public PageCache(long budgetBytes) {
    if (budgetBytes < 0) {
      throw new IllegalArgumentException("a page cache of " + budgetBytes + " bytes");
    }
    pages = budgetBytes == 0
        ? null
        : Caffeine.newBuilder()
            .maximumWeight(budgetBytes)
            .<PageKey, ByteBuffer>weigher((key, page) -> page.capacity() + ENTRY_OVERHEAD_BYTES)
            // Evictions are done by whoever causes them: no thread of the common pool.
            .executor(Runnable::run)
            .build();
  }

  /** Bytes that cached pages take now, about. */
  public long bytes() {
    if (pages == null) {
      return 0;
    }
    pages.cleanUp();
    return pages.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }

  /**
   * A number for a table that is being opened. File numbers would not do: stores and shards that
   * share a cache count each for itself.
   */
  long newTable() {
    return nextTable.incrementAndGet();
  }

  @Nullable
  ByteBuffer get(long table, int page) {
    return pages == null ? null : pages.getIfPresent(new PageKey(table, page));
  }

  void put(long table, int page, ByteBuffer content) {
    if (pages != null) {
      pages.put(new PageKey(table, page), content);
    }
  }

  /** Drops the pages of a table that is being closed. */
  void forget(long table, int pageCount) {
    if (pages != null) {
      for (int page = 0; page < pageCount; page++) {
        pages.invalidate(new PageKey(table, page));
      }
    }
  }

  private record PageKey(long table, int page) {

    @Override
    public int hashCode() {
      return Long.hashCode(table * 0x9E3779B97F4A7C15L + page);
    }
  }
}
