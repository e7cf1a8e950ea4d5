// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import java.util.stream.DoubleStream;

/** The median of the figures of several runs. */
public final class Median {

  private Median() {}

  /**
   * Returns the median, or the mean of the two middle figures.
   *
   * @param figures at least one, in any order
   */
  public static double of(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
