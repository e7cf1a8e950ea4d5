// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

/**
 * A predicate that rules out rows that a file does not hold.
 *
 * <p>Threads: any.
 */
@FunctionalInterface
public interface RowHint {

  /** The hint of a file without a filter: any row may be in the file. */
  RowHint NONE = hash -> true;

  /**
   * Whether the file may hold a row with this {@linkplain RowHash hash}; false if it certainly does
   * not.
   */
  boolean mayHold(long hash);
}
