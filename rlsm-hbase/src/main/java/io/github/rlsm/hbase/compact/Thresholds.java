// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

/**
 * When something is due.
 *
 * @param partitionBytesMax the size over which a partition is divided when all of it is rewritten;
 *     0 for never
 * @param rowFilesMax how many files a row may be in before some are merged
 * @param filesMax how many files one minor compaction may read, but for what order demands; at
 *     least as many as may be over a row
 * @param fileBytesMax the size over which a file is left to major compactions
 */
public record Thresholds(long partitionBytesMax, int rowFilesMax, int filesMax, long fileBytesMax) {

  /** Takes in one compaction all that may be over a row when one is due. */
  public Thresholds {
    filesMax = Math.max(filesMax, rowFilesMax + 1);
  }
}
