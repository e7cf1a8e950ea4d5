// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

/**
 * The data structures of the sorted memory tier; see {@link RlsmOptions.Builder#memtable}. All
 * behave alike and differ in speed only; see docs/decisions/0035-kinds-of-memtable.md.
 */
public enum MemtableKind {
  /**
   * Sorted arrays, one for each drained batch, merged logarithmically. No object for each entry.
   * The default.
   */
  SORTED_RUNS,
  /** A {@link java.util.concurrent.ConcurrentSkipListMap}, filled entry by entry. */
  SKIP_LIST,
  /** A skip list filled by FloDB's multi-insert (section 4.3, algorithm 1). */
  MULTI_INSERT
}
