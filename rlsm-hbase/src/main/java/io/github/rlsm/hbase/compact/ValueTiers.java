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
 * Selects value files to merge when no value file is to be emptied. Without merging, a store that
 * is never overwritten would keep one value file per flush. Pure.
 *
 * <p>Files below a size limit form tiers. Each tier's sizes are {@value #FANOUT} times the sizes of
 * the tier below. A merge takes {@value #FANOUT} files of one tier, so its result belongs to a
 * higher tier or is large enough to stay. So a value is rewritten at most once for each tier at or
 * above its first one. That is once if flushes have at least an eighth of the limit. Besides the
 * large files, a store keeps fewer than {@value #FANOUT} files per tier.
 */
final class ValueTiers {

  /** The number of files that a merge takes, and the ratio of sizes between tiers. */
  static final int FANOUT = 8;

  private ValueTiers() {}

  /**
   * The number of files in one tier from which their merge is urgent. Under constant load key files
   * are always due, so the number of value files would grow otherwise.
   */
  static final int URGENT = 2 * FANOUT;

  /**
   * Selects the files to merge: the oldest files of the lowest full tier.
   *
   * @param filesMin the number of files in a full tier, at least {@value #FANOUT}
   * @param oldestFirst the files that may be merged
   * @param bytes the size of a file
   * @param bytesMin the size from which a file is never merged; 0 disables merging
   */
  static <F> Optional<List<F>> choose(
      List<F> oldestFirst, int filesMin, ToLongFunction<F> bytes, long bytesMin) {
    TreeMap<Integer, List<F>> tiers = new TreeMap<>(Comparator.reverseOrder());
    for (F file : oldestFirst) {
      long size = bytes.applyAsLong(file);
      if (size < bytesMin) {
        tiers.computeIfAbsent(below(size, bytesMin), tier -> new ArrayList<>()).add(file);
      }
    }
    return tiers.values().stream()
        .filter(tier -> tier.size() >= filesMin)
        .findFirst()
        .map(tier -> List.copyOf(tier.subList(0, FANOUT)));
  }

  /** The number of tiers between a size and the highest tier. */
  private static int below(long size, long bytesMin) {
    int below = 0;
    for (long least = bytesMin / FANOUT; size < least; least /= FANOUT) {
      below++;
    }
    return below;
  }
}
