// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.gauge.ProcessIo;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.PhasePlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DisturbanceTest {

  private static final MatrixSettings SETTINGS = MatrixSettings.DEFAULT;
  private static final MatrixCase CASE = new MatrixCase(100, Amount.HALF, KeyOrder.RANDOM, 2);

  /** A phase of 5 s on two processors. */
  private static PhaseResult phase(String name, long operations, long puts, double others) {
    return new PhaseResult(
        name,
        new PhaseResult.Work(2, operations, operations, 5, puts),
        new PhaseResult.Checks(0, 0, 0),
        Map.of(),
        new PhaseResult.Use(
            new ProcessIo(0, 0), null, 0, 0, new MemoryPeak(1, 1, 1, 1), new CpuTime(1, others)));
  }

  private static StoreResult run(PhaseResult... phases) {
    return new StoreResult(CASE.specs(SETTINGS).get(0), 1, 2, List.of(phases), Map.of(), null);
  }

  private static BenchResult result(String date, double others) {
    return new BenchResult(
        date,
        "abc",
        "./bench matrix",
        new Machine("Abacus", 2, 4L << 30, "Linux 1", "JVM 17", "ext4"),
        "control group",
        List.of(run(phase(PhasePlan.READ, 9, 0, 0)), run(phase(PhasePlan.READ, 9, 0, others))));
  }

  @Test
  void onlyPhasesWithoutWritesShowIt() {
    StoreResult run = run(
        phase(PhasePlan.LOAD, 9, 9, 4),
        phase(PhasePlan.LOAD_SETTLE, 0, 0, 4),
        phase(PhasePlan.READ, 9, 0, 2.5),
        phase(PhasePlan.READ_ZIPFIAN, 9, 0, 1),
        phase(PhasePlan.SCAN_SHORT, 9, 0, 1.25),
        phase(PhasePlan.SCAN_LONG, 9, 0, -1),
        phase(PhasePlan.MIXED, 9, 4, 4));
    assertThat(Disturbance.of(run))
        .containsExactly(
            new Disturbance(PhasePlan.READ, 0.25), new Disturbance(PhasePlan.SCAN_SHORT, 0.125));
  }

  @Test
  void keepsTheResultThatWasDisturbedLess() {
    BenchResult quiet = result("2026-01-01T00:00:00Z", 0.5);
    BenchResult first = result("2026-01-02T00:00:00Z", 2);
    BenchResult second = result("2026-01-03T00:00:00Z", 3);
    assertThat(Disturbance.less(first, second)).isSameAs(first);
    assertThat(Disturbance.less(second, first)).isSameAs(first);
    assertThat(Disturbance.less(first, quiet)).isSameAs(quiet);
    assertThat(Disturbance.less(quiet, result("2026-01-04T00:00:00Z", 0))).isSameAs(quiet);
  }

  @Test
  void findsRecordedCasesAndReportsThem() {
    Map<String, BenchResult> undisturbed = Map.of(CASE.name(), Results.of(CASE, SETTINGS, 1));
    assertThat(MatrixPlan.disturbed(List.of(CASE), SETTINGS, undisturbed)).isEmpty();
    assertThat(report(undisturbed)).doesNotContain("## Disturbed phases");
    assertThat(MatrixPlan.disturbed(List.of(CASE), SETTINGS, Map.of())).isEmpty();

    Map<String, BenchResult> disturbed = Map.of(CASE.name(), Results.disturbed(CASE, SETTINGS));
    assertThat(MatrixPlan.disturbed(List.of(CASE), SETTINGS, disturbed)).containsExactly(CASE);
    assertThat(report(disturbed))
        .contains("## Disturbed phases", "2 clients, RLSM: read 50 %, zipf read 50 %");
  }

  private static String report(Map<String, BenchResult> recorded) {
    MatrixTable table = MatrixTable.of(List.of(CASE), recorded);
    return MatrixReport.of("e1", 1, recorded.values(), table);
  }
}
