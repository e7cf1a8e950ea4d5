// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.flush;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides where a flush begins a new file; pure.
 *
 * <p>If a flush has enough bytes for a partition, the partition gets its own file, which is a run
 * at once. This saves the rewrite from a wide file. Neighbouring partitions with few bytes each
 * share one wide file. Files of one flush never overlap, so each row is in one of them at most.
 */
public final class FlushCuts {

  private FlushCuts() {}

  /**
   * Returns the bounds at which a new file begins.
   *
   * @param bytes the bytes for each partition; one element more than {@code bounds}
   * @param bounds the bounds between the partitions
   * @param runBytesMin the bytes from which a partition gets its own file
   */
  public static List<byte[]> choose(long[] bytes, List<byte[]> bounds, long runBytesMin) {
    List<byte[]> cuts = new ArrayList<>();
    for (int i = 0; i < bounds.size(); i++) {
      if (isOwn(bytes[i], runBytesMin) || isOwn(bytes[i + 1], runBytesMin)) {
        cuts.add(bounds.get(i));
      }
    }
    return cuts;
  }

  private static boolean isOwn(long bytes, long runBytesMin) {
    return bytes > 0 && bytes >= runBytesMin;
  }
}
