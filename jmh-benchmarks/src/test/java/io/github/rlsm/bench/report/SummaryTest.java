// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.PhasePlan;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private static Summary summary(StoreResult... runs) {
    return Summary.of(List.of(runs)).get(0);
  }

  private static Metric metric(List<Metric> metrics, String name) {
    return metrics.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
  }

  private static Metric throughput(String name) {
    return metric(Metrics.throughput(false), name);
  }

  private static Metric cost(String name) {
    return metric(Metrics.cost(), name);
  }

  @Test
  void medianOfOddCountIsMiddleRun() {
    Summary summary = summary(
        Samples.run(StoreKind.LMDB, 1, 1),
        Samples.run(StoreKind.LMDB, 2, 10),
        Samples.run(StoreKind.LMDB, 3, 2));
    assertThat(summary.median(StoreKind.LMDB, throughput("load"))).hasValue(500);
  }

  @Test
  void medianOfEvenCountIsMeanOfMiddleRuns() {
    Summary summary = summary(Samples.run(StoreKind.LMDB, 1, 1), Samples.run(StoreKind.LMDB, 2, 2));
    assertThat(summary.median(StoreKind.LMDB, throughput("load"))).hasValue(750);
  }

  @Test
  void ratioDividesMedians() {
    Summary summary =
        summary(Samples.run(StoreKind.LMDB, 1, 1), Samples.run(StoreKind.ROCKSDB, 1, 4));
    Metric load = throughput("load");
    assertThat(summary.ratio(StoreKind.LMDB, StoreKind.ROCKSDB, load)).hasValue(4);
    assertThat(summary.ratio(StoreKind.MVSTORE, StoreKind.ROCKSDB, load)).isEmpty();
  }

  @Test
  void settledRateCountsWorkAndSettleTime() {
    Summary summary = summary(Samples.run(StoreKind.LMDB, 1, 4));
    assertThat(summary.median(StoreKind.LMDB, throughput("load, settled"))).hasValue(200);
  }

  @Test
  void amplificationIsRelativeToUserBytes() {
    Summary summary = summary(Samples.run(StoreKind.LMDB, 1, 4));
    assertThat(summary.median(StoreKind.LMDB, cost("load WA"))).hasValue(2.0);
    assertThat(summary.median(StoreKind.LMDB, cost("load SA"))).hasValue(1.3);
    assertThat(summary.median(StoreKind.LMDB, cost("heap + native, MiB"))).hasValue(30);
  }

  @Test
  void missingPhaseHasNoFigures() {
    Summary summary = summary(Samples.run(StoreKind.LMDB, 1, 4));
    assertThat(summary.median(StoreKind.LMDB, throughput("overwrite")))
        .isEqualTo(OptionalDouble.empty());
    assertThat(summary.median(StoreKind.LMDB, cost("overwrite WA"))).isEmpty();
  }

  @Test
  void reportsCutPhases() {
    Summary summary = summary(Samples.run(StoreKind.LMDB, 1, 4));
    assertThat(summary.isCut(StoreKind.LMDB, PhasePlan.READ)).isTrue();
    assertThat(summary.isCut(StoreKind.LMDB, PhasePlan.LOAD)).isFalse();
  }
}
