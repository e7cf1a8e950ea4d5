// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The samples of one measure, and its slope after warm-up. The slope is the median of the slopes
 * between all pairs of samples (Theil and Sen), so single outliers do not affect it.
 *
 * <p>Threads: one.
 */
final class SoakCurve {

  /** Maximum number of samples that count. With more samples, every n-th counts. */
  private static final int SAMPLES_MAX = 600;

  private final List<Double> hours = new ArrayList<>();
  private final List<Double> values = new ArrayList<>();

  void add(double hour, double value) {
    hours.add(hour);
    values.add(value);
  }

  /** The samples without the first third of the time. */
  private List<Integer> counted() {
    double from = hours.get(0) + (hours.get(hours.size() - 1) - hours.get(0)) / 3;
    List<Integer> counted = new ArrayList<>();
    int step = 1 + hours.size() / SAMPLES_MAX;
    for (int i = 0; i < hours.size(); i += step) {
      if (hours.get(i) >= from) {
        counted.add(i);
      }
    }
    return counted;
  }

  double median() {
    return median(counted().stream().map(values::get).toList());
  }

  double min() {
    return counted().stream().mapToDouble(values::get).min().orElse(0);
  }

  double max() {
    return counted().stream().mapToDouble(values::get).max().orElse(0);
  }

  /** Growth per hour after warm-up. */
  double slope() {
    List<Integer> counted = counted();
    List<Double> slopes = new ArrayList<>();
    for (int i = 0; i < counted.size(); i++) {
      for (int j = i + 1; j < counted.size(); j++) {
        int from = counted.get(i);
        int to = counted.get(j);
        slopes.add((values.get(to) - values.get(from)) / (hours.get(to) - hours.get(from)));
      }
    }
    return median(slopes);
  }

  /** Total growth after warm-up. */
  double growth() {
    List<Integer> counted = counted();
    return slope() * (hours.get(counted.get(counted.size() - 1)) - hours.get(counted.get(0)));
  }

  private static double median(List<Double> of) {
    List<Double> sorted = new ArrayList<>(of);
    Collections.sort(sorted);
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }
}
