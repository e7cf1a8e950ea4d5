// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Which value files to merge, when none is to be emptied: in a store that is not overwritten each
 * flush would leave one for ever. Pure.
 *
 * <p>Files under a size lie in tiers, each {@value #FANOUT} times as large as the one below. As
 * many of one tier are merged, so that what comes of them is of a higher tier, or large enough to
 * be left alone. A value is so written again at most once for each tier over the one it was flushed
 * to: once, where flushes are not smaller than a tier less than that size. And there are never more
 * files than the large ones, and fewer than {@value #FANOUT} for each tier.
 */
final class ValueTiers {

  /** How many files of a tier are merged, and how much larger the next tier is. */
  static final int FANOUT = 8;

  private ValueTiers() {}

  /**
   * Files that should become one: the oldest of the lowest tier that is full.
   *
   * @param oldestFirst those that may be merged
   * @param bytes the size of one
   * @param bytesMin the size from which on one is left alone; 0 for all
   */
  static <F> Optional<List<F>> choose(List<F> oldestFirst, ToLongFunction<F> bytes, long bytesMin) {
    TreeMap<Integer, List<F>> tiers = new TreeMap<>(Comparator.reverseOrder());
    for (F file : oldestFirst) {
      long size = bytes.applyAsLong(file);
      if (size < bytesMin) {
        tiers.computeIfAbsent(below(size, bytesMin), tier -> new ArrayList<>()).add(file);
      }
    }
    return tiers.values().stream()
        .filter(tier -> tier.size() >= FANOUT)
        .findFirst()
        .map(tier -> List.copyOf(tier.subList(0, FANOUT)));
  }

  /** How many tiers a size lies below the highest one. */
  private static int below(long size, long bytesMin) {
    int below = 0;
    for (long least = bytesMin / FANOUT; size < least; least /= FANOUT) {
      below++;
    }
    return below;
  }
}
