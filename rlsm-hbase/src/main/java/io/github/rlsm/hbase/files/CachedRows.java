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
 * The row filter of one file, which may be in memory or not. While it is not, the file is asked;
 * after a number of questions it is read again, by one of those who ask: a server whose budget is
 * far too small must not read filters instead of rows.
 *
 * <p>Threads: any; the filter is replaced under the lock of the {@link FilterBudget}.
 */
final class CachedRows implements RowHint {

  private static final Logger LOG = LoggerFactory.getLogger(CachedRows.class);

  /** To read a filter costs about as much as to look into this many files in vain. */
  static final int MISSES_MIN = 16;

  private final FilterBudget budget;
  private final Source source;
  private final AtomicInteger misses = new AtomicInteger();
  private volatile Optional<RowFilter> filter = Optional.empty();
  private volatile boolean asked;
  private volatile boolean released;

  /** Where a filter can be read again. */
  @FunctionalInterface
  interface Source {
    /** The filter's bytes; empty if they are damaged. */
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
      // Read first, so that a filter in use does not make its cache line travel.
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
      LOG.warn("Cannot read a row filter again; its file is asked for every row", e);
    }
  }

  /** The file is closed. */
  void release() {
    released = true;
    budget.remove(this);
  }

  boolean isReleased() {
    return released;
  }

  /** Whether it was asked since this was last called. */
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
