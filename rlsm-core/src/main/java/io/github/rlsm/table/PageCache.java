// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A cache of decompressed pages of any number of tables, with one byte budget. Uncompressed pages
 * are not cached here: they are read in place, from the page cache of the operating system.
 *
 * <p>Threads: safe for use by many threads. If two threads miss one page at the same time, both
 * decompress it.
 */
public final class PageCache {

  /** Bytes of an entry in addition to the page: the cache's node, the key, the buffer object. */
  private static final int ENTRY_OVERHEAD_BYTES = 160;

  private final @Nullable Cache<PageKey, ByteBuffer> pages;
  private final AtomicLong nextTable = new AtomicLong();

  /**
   * Creates an empty cache.
   *
   * @param budgetBytes heap that cached pages may take; 0 switches the cache off
   */
  public PageCache(long budgetBytes) {
    if (budgetBytes < 0) {
      throw new IllegalArgumentException("a page cache cannot have " + budgetBytes + " bytes");
    }
    pages = budgetBytes == 0
        ? null
        : Caffeine.newBuilder()
            .maximumWeight(budgetBytes)
            .<PageKey, ByteBuffer>weigher((key, page) -> page.capacity() + ENTRY_OVERHEAD_BYTES)
            // The thread that causes an eviction executes it, not a thread of the common pool.
            .executor(Runnable::run)
            .build();
  }

  /** The approximate bytes that cached pages occupy now. */
  public long bytes() {
    if (pages == null) {
      return 0;
    }
    pages.cleanUp();
    return pages.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }

  /**
   * Assigns a number to a table that is being opened. File numbers are not unique: stores and
   * shards that share a cache number their files separately.
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

  /** Removes the pages of a table that is being closed. */
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
