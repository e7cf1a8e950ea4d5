// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.util.function.Predicate;

/**
 * What a child has acknowledged, and so what must be there after its death. A promise kept for one
 * write is kept for all that had been acknowledged before that write began, on any thread.
 */
final class Acknowledged {

  private final History[] histories;
  private final Predicate<Operation> isPromise;
  private final long[] counts;
  private final long[] promised;

  /** By thread: the counts when that thread began its present operation. */
  private final long[][] before;

  private long total;

  /**
   * Nothing yet beyond the counts at which the child starts.
   *
   * @param isPromise whether an operation, once acknowledged, survives the child's death
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

  /** Takes note of a thread's next acknowledgement. */
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

  /** How many operations it has acknowledged in all. */
  long total() {
    return total;
  }

  /** How many of a thread's operations must be there. */
  long promised(int thread) {
    return promised[thread];
  }

  /** How many of a thread's operations may be there: one may have been under way. */
  long possible(int thread) {
    return counts[thread] + 1;
  }
}
