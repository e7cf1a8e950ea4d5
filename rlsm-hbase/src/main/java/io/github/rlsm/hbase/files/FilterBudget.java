// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.RowFilter;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The memory that the row filters of a server's files share. A filter that does not fit lets those
 * go that have not been asked for longest, by the rule of the second chance: whoever was asked
 * since it was last looked at may stay once more.
 *
 * <p>Threads: any; a lock guards the set, and nothing is read from files under it.
 */
public final class FilterBudget {

  private final StoreMetrics metrics;
  private final Set<CachedRows> inMemory = new LinkedHashSet<>();
  private long bytesMax = Long.MAX_VALUE;
  private long bytes;

  /** A budget without a limit, which tells how much is taken. */
  public FilterBudget(StoreMetrics metrics) {
    this.metrics = metrics;
  }

  /** The budget of this server. */
  public static FilterBudget ofServer() {
    return OfServer.BUDGET;
  }

  /** Changes the limit; what is over it goes. */
  public synchronized void limit(long newBytesMax) {
    bytesMax = newBytesMax;
    evict();
  }

  /** Takes a filter in, which may make others go, or itself if it alone is too large. */
  synchronized void add(CachedRows rows, RowFilter filter) {
    if (rows.isReleased() || !inMemory.add(rows)) {
      return;
    }
    rows.set(Optional.of(filter));
    changed(filter.byteCount());
    evict();
  }

  /** Lets a filter go whose file is closed. */
  synchronized void remove(CachedRows rows) {
    if (inMemory.remove(rows)) {
      letGo(rows);
    }
  }

  private void evict() {
    while (bytes > bytesMax) {
      Iterator<CachedRows> oldest = inMemory.iterator();
      CachedRows rows = oldest.next();
      oldest.remove();
      if (rows.takeAsked() && !inMemory.isEmpty()) {
        inMemory.add(rows);
      } else {
        letGo(rows);
        metrics.filterEvicted();
      }
    }
  }

  private void letGo(CachedRows rows) {
    changed(-rows.byteCount());
    rows.set(Optional.empty());
  }

  private void changed(long delta) {
    bytes += delta;
    metrics.filterBytes(bytes);
  }

  /** Made at first use. */
  private static final class OfServer {
    static final FilterBudget BUDGET = new FilterBudget(StoreMetrics.ofServer());
  }
}
