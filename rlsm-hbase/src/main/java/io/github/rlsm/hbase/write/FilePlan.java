// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import java.util.List;

/**
 * How cells are written to files.
 *
 * @param bounds the rows at which a new file is begun
 * @param cutBytes the size at which a new file is begun, at the next row
 * @param seqId the sequence id of all files but the last one, which is told when all are written
 * @param major whether the cells are all those of the store
 * @param marked whether files say for which rows they were written, which makes these rows a
 *     partition
 * @param filterBits bits of the row filter for each row; 0 for none
 */
public record FilePlan(
    List<byte[]> bounds, long cutBytes, long seqId, boolean major, boolean marked, int filterBits) {

  /** For files that are not cut by their size. */
  public static final long UNCUT = Long.MAX_VALUE;

  /** Takes a copy. */
  public FilePlan {
    bounds = List.copyOf(bounds);
  }
}
