// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

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
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.Phase.Kind;
import java.util.List;
import java.util.Map;

/** Results of cases with round figures. */
final class Results {

  private Results() {}

  /**
   * Results in which this project's store has 1,000 operations per second in each phase, leveled
   * RocksDB {@code ratio} times fewer, and every other peer 800. A settling takes a second.
   */
  static BenchResult of(MatrixCase one, MatrixSettings settings, double ratio) {
    return of(one, settings, ratio, 0);
  }

  /** Like {@link #of}, with gets beside which others used half of the processors. */
  static BenchResult disturbed(MatrixCase one, MatrixSettings settings) {
    return of(one, settings, 1, 0.5);
  }

  private static BenchResult of(
      MatrixCase one, MatrixSettings settings, double ratio, double others) {
    Machine machine = new Machine("Abacus", 2, 4L << 30, "Linux 1", "JVM 17", "ext4");
    return new BenchResult(
        "2026-01-01T00:00:00Z",
        "abc",
        "./bench matrix",
        machine,
        "control group",
        one.specs(settings).stream().map(spec -> run(spec, ratio, others)).toList());
  }

  private static StoreResult run(RunSpec spec, double ratio, double others) {
    double rate = rate(spec.store(), ratio);
    List<PhaseResult> phases = MatrixPhases.of(spec.workload(), 2, true, 5).stream()
        .map(phase -> phase(phase, rate, spec.workload().dataBytes(), others))
        .toList();
    return new StoreResult(spec, 1, 2, phases, Map.of(), null);
  }

  private static double rate(StoreKind store, double ratio) {
    return switch (store) {
      case RLSM -> 1_000;
      case ROCKSDB -> 1_000 / ratio;
      default -> 800;
    };
  }

  private static PhaseResult phase(Phase phase, double rate, long dataBytes, double others) {
    boolean gets = phase.kind() == Kind.READ || phase.kind() == Kind.READ_ZIPFIAN;
    long operations = phase.kind() == Kind.SETTLE ? 0 : phase.isTimed() ? 500 : phase.operations();
    double seconds = phase.kind() == Kind.SETTLE ? 1 : (double) operations / rate;
    Latency latency = new Latency(500, 1, 1, 1, 2_000_000 / rate, 9_000);
    return new PhaseResult(
        phase.name(),
        new PhaseResult.Work(2, operations, operations, seconds, gets ? 0 : operations),
        new PhaseResult.Checks(0, 0, 0),
        Map.of("get", latency, "put", latency, "scan", latency),
        new PhaseResult.Use(
            new ProcessIo(dataBytes, operations * 512),
            operations / 4,
            dataBytes * 3 / 2,
            dataBytes * 2,
            new MemoryPeak(1, 1, 1, 1),
            new CpuTime(1, gets ? others * 2 * seconds : 0)));
  }
}
