// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.hbase.layout.RowFilter;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The memory budget that the row filters of a server's files share. A filter beyond the budget
 * evicts the filters that have been unused longest, by the second-chance rule. A filter that was
 * used since its last inspection is kept for another round.
 *
 * <p>Threads: any. A lock guards the set; no file is read while the lock is held.
 */
public final class FilterBudget {

  private final StoreMetrics metrics;

  @GuardedBy("this")
  private final Set<CachedRows> inMemory = new LinkedHashSet<>();

  @GuardedBy("this")
  private long bytesMax = Long.MAX_VALUE;

  @GuardedBy("this")
  private long bytes;

  /** Creates a budget without a limit, which reports the memory in use. */
  public FilterBudget(StoreMetrics metrics) {
    this.metrics = metrics;
  }

  /** The budget of this server. */
  public static FilterBudget ofServer() {
    return OfServer.BUDGET;
  }

  /** Changes the limit and evicts filters above it. */
  public synchronized void limit(long newBytesMax) {
    bytesMax = newBytesMax;
    evict();
  }

  /**
   * Adds a filter. This may evict other filters, or the added one if it alone exceeds the limit.
   */
  synchronized void add(CachedRows rows, RowFilter filter) {
    if (rows.isReleased() || !inMemory.add(rows)) {
      return;
    }
    rows.set(Optional.of(filter));
    changed(filter.byteCount());
    evict();
  }

  /** Removes the filter of a closed file. */
  synchronized void remove(CachedRows rows) {
    if (inMemory.remove(rows)) {
      evict(rows);
    }
  }

  @GuardedBy("this")
  private void evict() {
    while (bytes > bytesMax) {
      Iterator<CachedRows> oldest = inMemory.iterator();
      CachedRows rows = oldest.next();
      oldest.remove();
      if (rows.takeAsked() && !inMemory.isEmpty()) {
        inMemory.add(rows);
      } else {
        evict(rows);
        metrics.filterEvicted();
      }
    }
  }

  @GuardedBy("this")
  private void evict(CachedRows rows) {
    changed(-rows.byteCount());
    rows.set(Optional.empty());
  }

  @GuardedBy("this")
  private void changed(long delta) {
    bytes += delta;
    metrics.filterBytes(bytes);
  }

  /** Holds the instance, which is created at first use. */
  private static final class OfServer {
    static final FilterBudget BUDGET = new FilterBudget(StoreMetrics.ofServer());
  }
}
