// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.StripedCounters;

/**
 * What reading tables cost, counted over all tables that share the object since it was made.
 *
 * <p>A lookup counts once, when it is done: each count is an atomic instruction, which the
 * processor does not look past, and between two filters it would keep the second one's cache line
 * from being fetched while the first one's is on its way.
 *
 * <p>Threads: safe for use by many threads; counting does not contend. Readings taken while others
 * count are not of one instant.
 */
public final class ReadCounters {

  private static final int FILTER_NEGATIVES = 0;
  private static final int FALSE_POSITIVES = 1;
  private static final int LOOKUP_PAGES = 2;
  private static final int OTHER_PAGES = 3;
  private static final int PAGES_VERIFIED = 4;
  private static final int CACHE_HITS = 5;

  private final StripedCounters counters = new StripedCounters();

  /** Lookups that a filter answered: the key is not in the table, and no page was read. */
  public long filterNegatives() {
    return counters.sum(FILTER_NEGATIVES);
  }

  /** Lookups that went to a page, or past the table's key range, for a key that is not there. */
  public long falsePositives() {
    return counters.sum(FALSE_POSITIVES);
  }

  /** Pages that lookups looked into: one for each table whose filter let them pass. */
  public long lookupPages() {
    return counters.sum(LOOKUP_PAGES);
  }

  /** Pages that lookups and cursors looked into, from memory, cache or disk. */
  public long pagesRead() {
    return lookupPages() + counters.sum(OTHER_PAGES);
  }

  /** Pages whose checksum and structure were checked. */
  public long pagesVerified() {
    return counters.sum(PAGES_VERIFIED);
  }

  /** Compressed pages that were found decompressed in the cache. */
  public long cacheHits() {
    return counters.sum(CACHE_HITS);
  }

  /**
   * Counts what looking one key up took.
   *
   * @param negatives tables that their filters excluded
   * @param searched tables that were searched
   * @param found whether the key was in the last one searched
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
