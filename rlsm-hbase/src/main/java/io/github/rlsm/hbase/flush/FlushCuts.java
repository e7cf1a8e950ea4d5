// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.flush;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides where a flush begins a new file; pure.
 *
 * <p>A partition for which there is enough gets a file of its own, which is a run of it at once:
 * the rewrite from a wide file is saved. What comes for neighbours that all get little stays
 * together in one wide file. Files of one flush never overlap, so however many they are, a row is
 * in one.
 */
final class FlushCuts {

  private FlushCuts() {}

  /**
   * The bounds at which a new file begins.
   *
   * @param bytes what comes for each partition; one more than bounds
   * @param bounds between the partitions
   * @param runBytesMin from how much on it is enough
   */
  static List<byte[]> choose(long[] bytes, List<byte[]> bounds, long runBytesMin) {
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
