// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * Decides whether a flush writes its values to new segments in key order, or leaves them in the
 * log.
 *
 * <p>Values in key order can later be merged into long ranges of keys, with one sequential read of
 * each segment. Values in write order are read several times if they do not fit in memory. DiffKV
 * (ATC '21) also sorts values of medium size when memory is flushed, for scans.
 *
 * <p>Threads: has no state.
 */
public final class FlushPlanner {

  /**
   * The share of the memory of the process that live values must exceed. The rest of the memory is
   * for the process itself, for tables, and for garbage in the value log.
   */
  private static final double MEMORY_SHARE = 0.75;

  /** A value this far from the one before it is read by a separate request. */
  public static final int JUMP_BYTES = 64 << 10;

  /** Values are in key order if at most one of this many jumps. */
  private static final int JUMP_VALUES = 8;

  private FlushPlanner() {}

  /**
   * Returns whether values may be worth sorting. They are not if all live values fit in memory,
   * since there the order hardly matters. They are not if writers force the log: then the device
   * writes them already, and sorting would make it write them twice.
   *
   * @param liveBytes bytes of live values in value segments
   * @param memoryBytes memory that the process may use, page cache included
   * @param isForced whether writers force segments of the log
   */
  public static boolean mayBeWorthSorting(long liveBytes, long memoryBytes, boolean isForced) {
    return !isForced && !fit(liveBytes, memoryBytes);
  }

  private static boolean fit(long liveBytes, long memoryBytes) {
    return liveBytes <= MEMORY_SHARE * memoryBytes;
  }

  /**
   * Returns whether reads stay fast if the log is in large pages. They do not if values stay in the
   * log and do not fit in memory. The kernel evicts the pages that are used least, and a large page
   * has values that are used often and values that are not.
   *
   * @param liveBytes as above
   * @param memoryBytes as above
   * @param valuesStay whether the last flush left values in the log
   */
  public static boolean mayUseLargePages(long liveBytes, long memoryBytes, boolean valuesStay) {
    return !valuesStay || fit(liveBytes, memoryBytes);
  }

  /**
   * The values of a flush.
   *
   * @param count their number
   * @param bytes their bytes
   * @param jumps how many of them are {@link #JUMP_BYTES} or more away from the one with the
   *     previous key
   */
  public record Values(long count, long bytes, long jumps) {

    /**
     * Whether it is worth sorting them: no if they are too long on average for moves at rest, or if
     * they were written in about the order of their keys.
     */
    public boolean areWorthSorting() {
      return bytes <= ScanCosts.STRAY_BYTES_MAX * count && jumps * JUMP_VALUES > count;
    }
  }
}
