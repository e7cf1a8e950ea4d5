// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.RowFilter;
import io.github.rlsm.hbase.layout.RowHint;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The row filter of one file, which may be evicted from memory. While the filter is evicted, every
 * lookup searches the file. After a number of such lookups, one of the threads reads the filter
 * again. This threshold keeps a server with a far too small budget from reading filters instead of
 * rows.
 *
 * <p>Threads: any; the filter is replaced under the lock of the {@link FilterBudget}.
 */
final class CachedRows implements RowHint {

  private static final Logger LOG = LoggerFactory.getLogger(CachedRows.class);

  /** Reading a filter costs about as much as this many unsuccessful searches of a file. */
  static final int MISSES_MIN = 16;

  private final FilterBudget budget;
  private final Source source;
  private final AtomicInteger misses = new AtomicInteger();
  private volatile Optional<RowFilter> filter = Optional.empty();
  private volatile boolean asked;
  private volatile boolean released;

  /** Reads the filter again. */
  @FunctionalInterface
  interface Source {
    /** Reads the filter; empty if its bytes are damaged. */
    Optional<RowFilter> read() throws IOException;
  }

  CachedRows(FilterBudget budget, Source source) {
    this.budget = budget;
    this.source = source;
  }

  @Override
  public boolean mayHold(long hash) {
    Optional<RowFilter> now = filter;
    if (now.isPresent()) {
      // Reading first avoids a write, which would move the cache line between cores.
      if (!asked) {
        asked = true;
      }
      return now.get().mayHold(hash);
    }
    if (!released && misses.incrementAndGet() % MISSES_MIN == 0) {
      load();
    }
    return true;
  }

  private void load() {
    try {
      source.read().ifPresent(read -> budget.add(this, read));
    } catch (IOException e) {
      LOG.warn("Cannot read an evicted row filter; lookups search its file for each row", e);
    }
  }

  /** Releases the filter, because the file was closed. */
  void release() {
    released = true;
    budget.remove(this);
  }

  boolean isReleased() {
    return released;
  }

  /** Whether the filter was used since the last call. */
  boolean takeAsked() {
    boolean was = asked;
    asked = false;
    return was;
  }

  long byteCount() {
    return filter.map(RowFilter::byteCount).orElse(0);
  }

  void set(Optional<RowFilter> now) {
    filter = now;
  }
}
