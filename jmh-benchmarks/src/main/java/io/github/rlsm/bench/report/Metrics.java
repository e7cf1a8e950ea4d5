// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.PhasePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The figures that reports show. */
final class Metrics {

  private static final double MEBIBYTE = 1 << 20;

  private Metrics() {}

  /** Operations per second of every phase with a rate. */
  static List<Metric> throughput(boolean sync) {
    List<Metric> metrics = new ArrayList<>();
    if (sync) {
      metrics.add(throughput(PhasePlan.DEVICE_BEFORE));
      for (int clients : PhasePlan.syncClients()) {
        metrics.add(throughput(PhasePlan.syncName(clients)));
      }
      return metrics;
    }
    metrics.add(throughput(PhasePlan.LOAD));
    metrics.add(settled("load, settled", PhasePlan.LOAD, PhasePlan.LOAD_SETTLE));
    for (String phase : List.of(
        PhasePlan.READ,
        PhasePlan.READ_ZIPFIAN,
        PhasePlan.SCAN_SHORT,
        PhasePlan.SCAN_LONG,
        PhasePlan.SCAN_SHORT_AGAIN)) {
      metrics.add(throughput(phase));
    }
    metrics.add(throughput(PhasePlan.OVERWRITE));
    metrics.add(settled("overwrite, settled", PhasePlan.OVERWRITE, PhasePlan.OVERWRITE_SETTLE));
    metrics.add(throughput(PhasePlan.MIXED));
    metrics.add(throughput(PhasePlan.DELETE));
    metrics.add(settled("delete, settled", PhasePlan.DELETE, PhasePlan.DELETE_SETTLE));
    return metrics;
  }

  /** Latencies in microseconds of one kind of call in a phase. */
  static List<Metric> latency(String phase, String call) {
    return List.of(
        latency("p50", phase, call, Latency::p50),
        latency("p99", phase, call, Latency::p99),
        latency("p99.9", phase, call, Latency::p999),
        latency("max", phase, call, Latency::max));
  }

  /** Disk usage, bytes written and memory. */
  static List<Metric> cost() {
    return List.of(
        writeAmplification("load WA", PhasePlan.LOAD, PhasePlan.LOAD_SETTLE),
        writeAmplification("overwrite WA", PhasePlan.OVERWRITE, PhasePlan.OVERWRITE_SETTLE),
        spaceAmplification("load SA", PhasePlan.LOAD_SETTLE),
        spaceAmplification("overwrite SA", PhasePlan.OVERWRITE_SETTLE),
        new Metric(
            "SA while overwriting, most",
            PhasePlan.OVERWRITE,
            2,
            run -> run.peakSpaceAmplification(PhasePlan.OVERWRITE)),
        new Metric(
            "heap + native, MiB",
            PhasePlan.LOAD,
            0,
            run -> peak(run, phase -> phase.use().memory().anonymous() / MEBIBYTE)),
        new Metric(
            "heap, MiB",
            PhasePlan.LOAD,
            0,
            run -> peak(run, phase -> phase.use().memory().heap() / MEBIBYTE)),
        new Metric("others' CPU, %", PhasePlan.LOAD, 0, Metrics::othersCpuPercent),
        seconds("close, s", PhasePlan.CLOSE),
        spaceAfterDeletes(),
        seconds("open, s", PhasePlan.OPEN),
        seconds("recovery, s", PhasePlan.RECOVERY),
        new Metric(
            "missing",
            PhasePlan.LOAD,
            0,
            run -> sum(run, phase -> phase.checks().missing())),
        new Metric(
            "wrong", PhasePlan.LOAD, 0, run -> sum(run, phase -> phase.checks().wrong())));
  }

  private static Metric throughput(String phase) {
    return new Metric(phase, phase, 0, run -> run.rate(phase));
  }

  /** Operations per second, including the time until background work ended. */
  private static Metric settled(String name, String phase, String settling) {
    return new Metric(name, phase, 0, run -> run.settledRate(phase, settling));
  }

  private static Metric latency(
      String name, String phase, String call, ToDoubleFunction<Latency> value) {
    return new Metric(
        name,
        phase,
        1,
        run -> measured(
            run.phase(phase).map(result -> result.latency().get(call)).map(value::applyAsDouble)));
  }

  private static Metric writeAmplification(String name, String phase, String settling) {
    return new Metric(name, phase, 2, run -> run.writeAmplification(phase, settling));
  }

  private static Metric spaceAmplification(String name, String settling) {
    return new Metric(name, settling, 2, run -> run.spaceAmplification(settling));
  }

  /** Disk usage after the deletes, relative to the bytes of the remaining keys and values. */
  private static Metric spaceAfterDeletes() {
    return new Metric(
        "delete SA",
        PhasePlan.DELETE_SETTLE,
        2,
        run -> measured(run.phase(PhasePlan.DELETE_SETTLE)
            .flatMap(rest -> run.phase(PhasePlan.DELETE)
                .map(deletes -> (double) rest.use().diskBytes()
                    / ((run.keysLoaded() - deletes.work().operations())
                        * run.spec().workload().entryBytes())))));
  }

  private static Metric seconds(String name, String phase) {
    return new Metric(
        name,
        phase,
        2,
        run -> measured(run.phase(phase).map(result -> result.work().seconds())));
  }

  /** The share of the machine that other processes used while the phases ran. */
  private static OptionalDouble othersCpuPercent(StoreResult run) {
    double others =
        run.phases().stream().mapToDouble(phase -> phase.use().cpu().others()).sum();
    double seconds =
        run.phases().stream().mapToDouble(phase -> phase.work().seconds()).sum();
    return others < 0 || seconds == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(100, 100 * others / (seconds * run.cores())));
  }

  private static OptionalDouble peak(StoreResult run, ToDoubleFunction<PhaseResult> value) {
    return run.phases().stream().mapToDouble(value).filter(bytes -> bytes > 0).max();
  }

  private static OptionalDouble sum(StoreResult run, ToDoubleFunction<PhaseResult> value) {
    return OptionalDouble.of(run.phases().stream().mapToDouble(value).sum());
  }

  private static OptionalDouble measured(Optional<Double> value) {
    return value.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }
}
