// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.Workload;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** The runs of one workload, with repetitions grouped. */
final class Summary {

  private final Workload workload;
  private final Map<StoreKind, List<StoreResult>> runs;

  private Summary(Workload workload, Map<StoreKind, List<StoreResult>> runs) {
    this.workload = workload;
    this.runs = runs;
  }

  /** One summary for each workload, in the order of the runs. */
  static List<Summary> of(List<StoreResult> results) {
    Map<Workload, List<StoreResult>> byWorkload = results.stream()
        .collect(Collectors.groupingBy(
            run -> run.spec().workload(), LinkedHashMap::new, Collectors.toList()));
    return byWorkload.entrySet().stream()
        .map(entry -> new Summary(entry.getKey(), byStore(entry.getValue())))
        .toList();
  }

  private static Map<StoreKind, List<StoreResult>> byStore(List<StoreResult> results) {
    return results.stream()
        .collect(Collectors.groupingBy(
            run -> run.spec().store(), LinkedHashMap::new, Collectors.toList()));
  }

  Workload workload() {
    return workload;
  }

  Set<StoreKind> stores() {
    return new LinkedHashSet<>(runs.keySet());
  }

  List<StoreResult> runs(StoreKind store) {
    return runs.getOrDefault(store, List.of());
  }

  /** The median over the repetitions that have the figure; empty if no repetition has it. */
  OptionalDouble median(StoreKind store, Metric metric) {
    double[] figures = runs(store).stream()
        .map(metric.value())
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .toArray();
    return figures.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Median.of(Arrays.stream(figures)));
  }

  /** The store's median divided by the baseline's; empty if one of them is missing. */
  OptionalDouble ratio(StoreKind store, StoreKind baseline, Metric metric) {
    OptionalDouble own = median(store, metric);
    OptionalDouble other = median(baseline, metric);
    return own.isPresent() && other.isPresent() && other.getAsDouble() != 0
        ? OptionalDouble.of(own.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Whether any repetition of that phase ran out of time for the store. */
  boolean isCut(StoreKind store, String phase) {
    return runs(store).stream()
        .anyMatch(run -> run.phase(phase).filter(PhaseResult::isCut).isPresent());
  }
}
