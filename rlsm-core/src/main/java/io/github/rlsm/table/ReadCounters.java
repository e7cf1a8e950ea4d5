// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.StripedCounters;

/**
 * Counts the cost of reading tables, over all tables that share the object.
 *
 * <p>A lookup counts once, at its end. Each count is an atomic instruction, and the processor does
 * not execute loads past it speculatively. A count between two filters would prevent the processor
 * from fetching the cache lines of both filters at once.
 *
 * <p>Threads: safe for use by many threads; counting does not contend. Values that are read while
 * other threads count do not belong to one instant.
 */
public final class ReadCounters {

  private static final int FILTER_NEGATIVES = 0;
  private static final int FALSE_POSITIVES = 1;
  private static final int LOOKUP_PAGES = 2;
  private static final int OTHER_PAGES = 3;
  private static final int PAGES_VERIFIED = 4;
  private static final int CACHE_HITS = 5;

  private final StripedCounters counters = new StripedCounters();

  /** Searches that a filter avoided: the key is not in the table, and no page was read. */
  public long filterNegatives() {
    return counters.sum(FILTER_NEGATIVES);
  }

  /** Searches of a page, or beyond the table's key range, for a key that is not in the table. */
  public long falsePositives() {
    return counters.sum(FALSE_POSITIVES);
  }

  /** Pages that lookups searched: one for each table whose filter let the key pass. */
  public long lookupPages() {
    return counters.sum(LOOKUP_PAGES);
  }

  /** Pages that lookups and cursors read, from memory, cache or disk. */
  public long pagesRead() {
    return lookupPages() + counters.sum(OTHER_PAGES);
  }

  /** Pages whose checksum and structure were checked. */
  public long pagesVerified() {
    return counters.sum(PAGES_VERIFIED);
  }

  /** Compressed pages that were in the cache of decompressed pages. */
  public long cacheHits() {
    return counters.sum(CACHE_HITS);
  }

  /**
   * Counts the cost of one lookup.
   *
   * @param negatives tables whose filters excluded the key
   * @param searched tables that were searched
   * @param found whether the last searched table has the key
   */
  public void countLookup(int negatives, int searched, boolean found) {
    if (negatives > 0) {
      counters.add(FILTER_NEGATIVES, negatives);
    }
    if (searched > 0) {
      counters.add(LOOKUP_PAGES, searched);
      int falsePositives = found ? searched - 1 : searched;
      if (falsePositives > 0) {
        counters.add(FALSE_POSITIVES, falsePositives);
      }
    }
  }

  void countPageRead() {
    counters.add(OTHER_PAGES, 1);
  }

  void countPageVerified() {
    counters.add(PAGES_VERIFIED, 1);
  }

  void countCacheHit() {
    counters.add(CACHE_HITS, 1);
  }
}
