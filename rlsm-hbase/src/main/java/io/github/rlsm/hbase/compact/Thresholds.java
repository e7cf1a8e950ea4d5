// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.layout.Layout;

/**
 * When something is due.
 *
 * @param partitionBytesMax the size over which a partition is divided when all of it is rewritten;
 *     0 for never
 * @param files how many files may lie over a row
 * @param filesMax how many files one minor compaction may read, but for what order demands
 * @param fileBytesMax the size over which a file is left to major compactions
 */
public record Thresholds(long partitionBytesMax, Files files, int filesMax, long fileBytesMax) {

  /**
   * How many files may lie over a row before some are merged.
   *
   * @param wide files that span partitions
   * @param runs files of its partition
   */
  public record Files(int wide, int runs) {

    /**
     * The part of the room that runs may take. More would write less, but old versions of rows that
     * are overwritten stay until runs are merged, and scans pass over them.
     */
    private static final double RUNS = 5.0 / 16;

    /**
     * The most that fit in some room, where there must be some left at all times: while wide files
     * are appended others come, and beyond the room HBase holds writers up. To append takes about
     * half as long as to flush, so two thirds of what runs leave free may be filled. The fewer runs
     * there are, the more are appended at once, which keeps them few. All files of an undivided
     * store are rewritten at once, which leaves less time.
     *
     * @param room for all files over a row
     */
    public static Files of(Layout<?> layout, int room) {
      if (layout.partitions().size() == 1) {
        return new Files(1, Math.max(1, room / 2));
      }
      int runs = layout.depth() - layout.wideDepth();
      return new Files(
          Math.max(1, (room - runs) * 2 / 3), Math.max(1, (int) Math.round(room * RUNS)));
    }
  }
}
