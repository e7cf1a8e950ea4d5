// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.gauge.ProcessIo;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.util.List;
import java.util.Map;

/** Sample results with round figures. */
final class Samples {

  static final Workload WORKLOAD = new Workload("small", 1_000, 84, false, KeyOrder.RANDOM);

  private Samples() {}

  /** A load of 1,000 puts of 100 bytes, settled one second later, and reads. */
  static StoreResult run(StoreKind store, int repetition, double loadSeconds) {
    RunSpec spec = new RunSpec(
        store,
        WORKLOAD,
        new RunSpec.Conditions(2, 1 << 30, 1, 60),
        new RunSpec.Plan(List.of(), 1, false, RunSpec.Schedule.COUNTED),
        Map.of());
    Latency latency = new Latency(1_000, 2, 1.5, 9.5, 20, 3_000);
    return new StoreResult(
        spec,
        repetition,
        2,
        List.of(
            phase(PhasePlan.LOAD, 1_000, 1_000, loadSeconds, 150_000, Map.of("put", latency)),
            phase(PhasePlan.LOAD_SETTLE, 0, 0, 1, 50_000, Map.of()),
            phase(PhasePlan.READ, 500, 1_000, 2, 0, Map.of("get", latency))),
        Map.of(),
        null);
  }

  static BenchResult result(StoreResult... runs) {
    Machine machine = new Machine("Abacus", 2, 4L << 30, "Linux 1", "JVM 17", "ext4");
    return new BenchResult(
        "2026-01-01T00:00:00Z", "abc", "./bench stores", machine, "control group", List.of(runs));
  }

  private static PhaseResult phase(
      String name,
      long operations,
      long planned,
      double seconds,
      long bytesWritten,
      Map<String, Latency> latency) {
    return new PhaseResult(
        name,
        new PhaseResult.Work(2, operations, planned, seconds, bytesWritten > 0 ? operations : 0),
        new PhaseResult.Checks(0, 0, 0),
        latency,
        new PhaseResult.Use(
            new ProcessIo(bytesWritten, 0),
            null,
            130_000,
            150_000,
            new MemoryPeak(10 << 20, 30 << 20, 50 << 20, -1),
            new CpuTime(1, 0)));
  }
}
