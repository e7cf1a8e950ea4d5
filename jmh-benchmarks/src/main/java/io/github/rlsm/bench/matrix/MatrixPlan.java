// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which cases are measured, in which order, and when to stop. */
public final class MatrixPlan {

  /** Sizes of values, in the order of the table. */
  static final List<Integer> SIZES = List.of(100, 300, 512, 1_000, 2_000, 4_096, 16_000);

  /** The same sizes in the order of measurement: the first few already cover the whole range. */
  private static final List<Integer> SIZES_BY_WEIGHT =
      List.of(1_000, 100, 4_096, 512, 16_000, 300, 2_000);

  private static final List<Amount> AMOUNTS_BY_WEIGHT =
      List.of(Amount.MORE, Amount.FAR_MORE, Amount.HALF);

  private static final List<Integer> LMDB_SIZES = List.of(100, 1_000);
  private static final List<Integer> CLIENTS = List.of(2, 8);

  private MatrixPlan() {}

  /**
   * All cases. The order gives an interrupted matrix a wide range: 2 clients, random keys first.
   */
  public static List<MatrixCase> all() {
    List<MatrixCase> cases = new ArrayList<>();
    for (int clients : CLIENTS) {
      for (KeyOrder order : KeyOrder.values()) {
        for (Amount amount : AMOUNTS_BY_WEIGHT) {
          SIZES_BY_WEIGHT.forEach(size -> cases.add(new MatrixCase(size, amount, order, clients)));
        }
      }
      LMDB_SIZES.forEach(
          size -> cases.add(new MatrixCase(size, Amount.QUARTER, KeyOrder.RANDOM, clients)));
    }
    return List.copyOf(cases);
  }

  /**
   * A few cases of {@link #all}, which end within a quarter of an hour. One has medium values that
   * do not fit in memory. Two have small values in memory, one of them beside LMDB. The last has
   * larger values with increasing keys and 8 threads.
   */
  public static List<MatrixCase> sample() {
    return List.of(
        new MatrixCase(1_000, Amount.MORE, KeyOrder.RANDOM, 2),
        new MatrixCase(100, Amount.HALF, KeyOrder.RANDOM, 2),
        new MatrixCase(4_096, Amount.MORE, KeyOrder.INCREASING, 8),
        new MatrixCase(100, Amount.QUARTER, KeyOrder.RANDOM, 2));
  }

  /**
   * The cases with the given names, in the order of the names.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  public static List<MatrixCase> named(List<String> names) {
    return names.stream().map(MatrixPlan::named).toList();
  }

  private static MatrixCase named(String name) {
    return all().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no case is named " + name
            + ": names are like " + new MatrixCase(1_000, Amount.MORE, KeyOrder.RANDOM, 2).name()));
  }

  /**
   * The cases that are not recorded. A record counts only if it has the results of exactly the
   * planned processes and phases: a changed setting or phase measures the case again. A store that
   * failed is not tried again.
   *
   * @param recorded results by the names of cases
   */
  public static List<MatrixCase> remaining(
      List<MatrixCase> cases, MatrixSettings settings, Map<String, BenchResult> recorded) {
    return cases.stream()
        .filter(one -> !isRecorded(one, settings, recorded.get(one.name())))
        .toList();
  }

  /**
   * The recorded cases with a disturbed phase, in their order.
   *
   * @param recorded results by the names of cases
   */
  public static List<MatrixCase> disturbed(
      List<MatrixCase> cases, MatrixSettings settings, Map<String, BenchResult> recorded) {
    return cases.stream()
        .filter(one -> isDisturbed(one, settings, recorded.get(one.name())))
        .toList();
  }

  private static boolean isDisturbed(
      MatrixCase one, MatrixSettings settings, @Nullable BenchResult result) {
    return result != null && isRecorded(one, settings, result) && Disturbance.most(result) > 0;
  }

  private static boolean isRecorded(
      MatrixCase one, MatrixSettings settings, @Nullable BenchResult result) {
    if (result == null) {
      return false;
    }
    List<String> phases = one.phases(settings).stream().map(Phase::name).toList();
    return result.runs().stream().map(StoreResult::spec).toList().equals(one.specs(settings))
        && result.runs().stream()
            .allMatch(run -> run.failure() != null
                || run.phases().stream().map(PhaseResult::phase).toList().equals(phases));
  }

  /**
   * Whether to stop before a case: if it would probably end after the time limit.
   *
   * @param spent time since the start
   * @param expected probable duration of the case
   * @param limit time limit of the whole run
   */
  public static boolean stopsBefore(Duration spent, Duration expected, Duration limit) {
    return spent.plus(expected).compareTo(limit) > 0;
  }
}
