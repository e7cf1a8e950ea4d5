// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import java.util.List;

/**
 * The rules for writing cells to files.
 *
 * @param bounds the rows at which a new file begins
 * @param cutBytes the size above which a new file begins, at the next row
 * @param seqId the sequence id of all files except the last one, whose sequence id is given at
 *     commit
 * @param major whether the cells are all cells of the store
 * @param marked whether each file records the row range it was written for, which makes the range a
 *     partition
 */
public record FilePlan(
    List<byte[]> bounds, long cutBytes, long seqId, boolean major, boolean marked) {

  /** The {@code cutBytes} of files that are not cut by size. */
  public static final long UNCUT = Long.MAX_VALUE;

  /** Copies the bounds. */
  public FilePlan {
    bounds = List.copyOf(bounds);
  }
}
