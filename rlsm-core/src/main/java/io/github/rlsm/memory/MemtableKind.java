// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/** How the sorted memory tier is built; docs/benchmarks compares them. */
public enum MemtableKind {
  /**
   * Sorted arrays, one for each drained batch, merged in the manner of a logarithmic structure: the
   * cheapest to write and to flush. The default.
   */
  SORTED_RUNS,
  /** {@link java.util.concurrent.ConcurrentSkipListMap}, filled entry by entry. */
  SKIP_LIST,
  /** A skip list filled by FloDB's multi-insert (section 4.3, algorithm 1). */
  MULTI_INSERT
}
