// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * What the owner of the runs knows of their insides without I/O, for example from the fences it
 * keeps in memory. Answers must not change while a run lives; implementations are safe for any
 * thread.
 */
public interface RunMetrics {

  /**
   * How much of a run lies in a range.
   *
   * @param range inside the run's span
   */
  SliceSize size(RunShape run, KeyRange range);

  /**
   * Samples of the run's keys in a range, in any order, whose weights add up to about the run's
   * bytes there. One sample a page gives splits that cut between pages.
   *
   * @param range inside the run's span
   */
  List<WeightedKey> samples(RunShape run, KeyRange range);
}
