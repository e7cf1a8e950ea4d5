// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import java.util.concurrent.atomic.LongAdder;

/**
 * What reading tables cost, counted over all tables that share the object since it was made.
 *
 * <p>Threads: safe for use by many threads; counting does not contend. Readings taken while others
 * count are not of one instant.
 */
public final class ReadCounters {

  private final LongAdder filterNegatives = new LongAdder();
  private final LongAdder falsePositives = new LongAdder();
  private final LongAdder pagesRead = new LongAdder();
  private final LongAdder pagesVerified = new LongAdder();
  private final LongAdder cacheHits = new LongAdder();

  /** Lookups that a filter answered: the key is not in the table, and no page was read. */
  public long filterNegatives() {
    return filterNegatives.sum();
  }

  /** Lookups that went to a page, or past the table's key range, for a key that is not there. */
  public long falsePositives() {
    return falsePositives.sum();
  }

  /** Pages that lookups and cursors looked into, from memory, cache or disk. */
  public long pagesRead() {
    return pagesRead.sum();
  }

  /** Pages whose checksum and structure were checked. */
  public long pagesVerified() {
    return pagesVerified.sum();
  }

  /** Compressed pages that were found decompressed in the cache. */
  public long cacheHits() {
    return cacheHits.sum();
  }

  void countFilterNegative() {
    filterNegatives.increment();
  }

  void countFalsePositive() {
    falsePositives.increment();
  }

  void countPageRead() {
    pagesRead.increment();
  }

  void countPageVerified() {
    pagesVerified.increment();
  }

  void countCacheHit() {
    cacheHits.increment();
  }
}
