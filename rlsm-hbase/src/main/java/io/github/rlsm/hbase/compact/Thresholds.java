// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.config.PartitionSize;
import io.github.rlsm.hbase.layout.Layout;

/**
 * The limits above which a compaction is due.
 *
 * @param partitionBytesMax the size above which a partition is divided when all of it is rewritten;
 *     0 for never
 * @param dividesEarly whether the first division is due as soon as the store is larger than a
 *     partition, although not all files would be rewritten otherwise
 * @param files the number of files that may lie over a row
 * @param filesMax the number of files that one minor compaction may read, unless the order of ages
 *     requires more
 * @param fileBytesMax the size above which only a major compaction rewrites a file
 */
public record Thresholds(
    long partitionBytesMax, boolean dividesEarly, Files files, int filesMax, long fileBytesMax) {

  /**
   * The number of files that may lie over a row before some are merged.
   *
   * @param wide files that span partitions
   * @param runs files of the row's partition
   */
  public record Files(int wide, int runs) {

    /**
     * The fraction of the limit that runs may use while flushes are written to the partitions
     * directly. The rest is for files that are flushed while runs are merged. The more runs there
     * may be, the less is rewritten. {@code CompactionCostTest} simulates how much.
     */
    private static final double RUNS = 13.0 / 16;

    /**
     * The fraction of the limit that runs may use beside wide files. A larger fraction would write
     * less. But old versions of overwritten rows stay until runs are merged, and scans pass over
     * them.
     */
    private static final double FEW_RUNS = 5.0 / 16;

    /**
     * The fraction of the limit that runs of key files may use, and wide key files as well. Gets
     * and scans read a block of each. Key files are merged at a small part of the cost of their
     * values. With three sixteenths, the merges would write far more.
     */
    private static final double FILES_OF_KEYS = 4.0 / 16;

    /**
     * Returns the largest thresholds that keep some of the limit free. While wide files are
     * appended, flushes add others, and above the limit HBase delays writers. Appending takes about
     * half as long as flushing, so wide files may use two thirds of what runs leave free. The fewer
     * runs there are, the more wide files are appended at once, which keeps runs few. A division
     * that is due early rewrites all files at once, which takes longer, so half of the limit stays
     * free before.
     *
     * @param size the size of partitions
     * @param ofKeys whether most files are key files of separated values
     * @param room the limit on all files over a row
     */
    public static Files of(Layout<?> layout, PartitionSize size, boolean ofKeys, int room) {
      if (layout.partitions().size() == 1 && size.isFixed() && !ofKeys) {
        return new Files(1, Math.max(1, room / 2));
      }
      if (ofKeys) {
        int keys = part(room, FILES_OF_KEYS);
        return new Files(keys, keys);
      }
      int runs = layout.depth() - layout.wideDepth();
      return new Files(
          Math.max(1, (room - runs) * 2 / 3),
          part(room, layout.wideDepth() == 0 ? RUNS : FEW_RUNS));
    }

    private static int part(int room, double part) {
      return Math.max(1, (int) Math.round(room * part));
    }
  }
}
