// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/** Zipf's law. Counts of different keys are tabulated over the logarithm of the writes. */
final class Zipfian extends Writes.Scattered {

  private static final int STEPS_PER_DOUBLING = 32;
  private static final int DOUBLINGS = 48;
  private static final int RANK_STEPS = 400;

  private final double[] distinct = new double[STEPS_PER_DOUBLING * DOUBLINGS + 1];

  Zipfian(double keys, double exponent) {
    double[] rank = new double[RANK_STEPS];
    double[] share = new double[RANK_STEPS];
    double sum = 0;
    double growth = Math.pow(keys, 1.0 / RANK_STEPS);
    for (int i = 0; i < RANK_STEPS; i++) {
      double low = Math.pow(growth, i);
      rank[i] = low * growth - low;
      share[i] = Math.pow(low * Math.sqrt(growth), -exponent);
      sum += rank[i] * share[i];
    }
    for (int step = 0; step < distinct.length; step++) {
      double writes = Math.pow(2, (double) step / STEPS_PER_DOUBLING);
      for (int i = 0; i < RANK_STEPS; i++) {
        distinct[step] -= rank[i] * Math.expm1(-writes * share[i] / sum);
      }
    }
  }

  @Override
  double distinct(double writes) {
    if (writes <= 1) {
      return Math.max(0, writes) * distinct[0];
    }
    double at = Math.log(writes) / Math.log(2) * STEPS_PER_DOUBLING;
    int step = (int) Math.min(at, distinct.length - 2);
    return distinct[step] + (at - step) * (distinct[step + 1] - distinct[step]);
  }
}
