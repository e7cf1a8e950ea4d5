// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.util.function.Predicate;

/**
 * The operations that a child has acknowledged, and that must survive its death. The promise of a
 * write includes all writes that any thread had acknowledged before this write began.
 */
final class Acknowledged {

  private final History[] histories;
  private final Predicate<Operation> isPromise;
  private final long[] counts;
  private final long[] promised;

  /** By thread: the counts when that thread began its current operation. */
  private final long[][] before;

  private long total;

  /**
   * Starts with the counts at which the child starts.
   *
   * @param isPromise whether an acknowledged operation must survive the child's death
   */
  Acknowledged(History[] histories, long[] starts, Predicate<Operation> isPromise) {
    this.histories = histories;
    this.isPromise = isPromise;
    counts = starts.clone();
    promised = starts.clone();
    before = new long[starts.length][];
    for (int i = 0; i < starts.length; i++) {
      before[i] = starts.clone();
    }
  }

  /** Records a thread's next acknowledgement. */
  void add(int thread, long count) {
    if (count != counts[thread] + 1) {
      throw new AssertionError(
          "thread " + thread + " acknowledged " + count + " after " + counts[thread]);
    }
    counts[thread] = count;
    total++;
    if (isPromise.test(histories[thread].at(count - 1))) {
      for (int i = 0; i < counts.length; i++) {
        promised[i] = Math.max(promised[i], before[thread][i]);
      }
      promised[thread] = count;
    }
    before[thread] = counts.clone();
  }

  /** The number of operations that the child has acknowledged. */
  long total() {
    return total;
  }

  /** The number of a thread's operations that must be present. */
  long promised(int thread) {
    return promised[thread];
  }

  /** The number of a thread's operations that may be present: one may have been in flight. */
  long possible(int thread) {
    return counts[thread] + 1;
  }
}
