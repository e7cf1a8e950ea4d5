// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.List;

/**
 * Measures runs without I/O, for example with the page fences that the engine keeps in memory. The
 * answers for a run never change. Implementations are thread-safe.
 */
public interface RunMetrics {

  /**
   * Estimates the part of a run that lies in a range.
   *
   * @param range inside the run's span
   */
  SliceSize size(RunShape run, KeyRange range);

  /**
   * Samples of the run's keys in a range, in any order. Their weights add up to about the run's
   * bytes in the range. With one sample for each page, a split cuts between pages.
   *
   * @param range inside the run's span
   */
  List<WeightedKey> samples(RunShape run, KeyRange range);

  /**
   * The size of the part of a run that lies in a key range.
   *
   * @param entries keys; an estimate, but 0 only if the range certainly has none
   * @param bytes size on disk; an estimate
   */
  record SliceSize(long entries, long bytes) {

    /** Checks that neither figure is negative. */
    public SliceSize {
      if (entries < 0 || bytes < 0) {
        throw new IllegalArgumentException(
            "negative slice size: " + entries + " entries, " + bytes + " bytes");
      }
    }
  }
}
