// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

/**
 * The largest size of a store's partitions. A partition is divided when it is larger and all of it
 * is rewritten anyway, so partitions have between half of this size and all of it.
 *
 * <p>Unless an option sets the size, it grows with the store, so that the number of partitions does
 * not. A flush of new rows in random order then has enough bytes for every partition to write them
 * there directly. With more partitions, flushes would be written to wide files, and every byte once
 * more when these are appended. The first division is not urgent. It waits until all of the store
 * is rewritten anyway. An option asks for its size as soon as the store has it. The limit of a
 * region's size is no measure: it is 10 GiB where regions split by themselves, and 100 GiB or more
 * where operators split them.
 *
 * @param bytesMin the least size in bytes; the same as {@code bytesMax} for a fixed size
 * @param bytesMax the largest size in bytes; 0 for a store that is never divided
 * @param partitions the largest number of partitions between these sizes, about
 */
public record PartitionSize(long bytesMin, long bytesMax, int partitions) {

  /** A store with a single partition of any size. */
  public static final PartitionSize UNDIVIDED = fixed(0);

  /** The paper's size. */
  private static final long BYTES_MIN = 120L << 20;

  /** A size that an option sets. */
  public static PartitionSize fixed(long bytes) {
    return new PartitionSize(bytes, bytes, 1);
  }

  /** A size that follows the data. */
  public static PartitionSize following(int partitions) {
    return new PartitionSize(BYTES_MIN, Long.MAX_VALUE, partitions);
  }

  /**
   * The largest size of a partition.
   *
   * @param storeBytes the bytes of the store's files, values included
   * @return the size in bytes; 0 if the store must not be divided
   */
  public long of(long storeBytes) {
    // Partitions have half of the largest size after a division.
    return Math.min(bytesMax, Math.max(bytesMin, storeBytes / partitions * 2));
  }

  /** Whether an option sets the size, so that it does not follow the data. */
  public boolean isFixed() {
    return bytesMin == bytesMax;
  }

  /** Whether the store may be divided. */
  public boolean isDivided() {
    return bytesMax > 0;
  }
}
