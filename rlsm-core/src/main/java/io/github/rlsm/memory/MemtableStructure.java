// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/** The implementations of the sorted memory tier. */
public enum MemtableStructure {
  /** {@link SortedRunsMemtable}. */
  SORTED_RUNS,
  /** {@link SkipListMemtable}. */
  SKIP_LIST,
  /** {@link MultiInsertMemtable}. */
  MULTI_INSERT
}
