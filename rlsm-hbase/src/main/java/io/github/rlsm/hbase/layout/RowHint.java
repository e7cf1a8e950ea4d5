// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

/**
 * Which rows a file certainly does not hold.
 *
 * <p>Threads: any.
 */
@FunctionalInterface
public interface RowHint {

  /** Of a file of which nothing is known. */
  RowHint NONE = hash -> true;

  /** Whether the file may hold a row of this {@linkplain RowHash hash}; if not, it holds none. */
  boolean mayHold(long hash);
}
