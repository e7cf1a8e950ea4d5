// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/** The implementations of the sorted memory tier. docs/benchmarks compares them. */
public enum MemtableKind {
  /**
   * Sorted arrays, one for each drained batch, merged logarithmically. The cheapest to write and to
   * flush. The default.
   */
  SORTED_RUNS,
  /** A {@link java.util.concurrent.ConcurrentSkipListMap}, filled entry by entry. */
  SKIP_LIST,
  /** A skip list filled by FloDB's multi-insert (section 4.3, algorithm 1). */
  MULTI_INSERT
}
