// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The report of a load or of one workload: operations, speed and cost.
 *
 * @param name "load" or the workload's letter
 * @param speed the number of operations and their time
 * @param errors failed operations and wrong records
 * @param kinds latencies and failures by kind of operation
 * @param verified results of data integrity mode; null if it was off
 * @param storage bytes written by the phase, and disk usage after it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PhaseReport(
    String name,
    @JsonUnwrapped Speed speed,
    long errors,
    List<Kind> kinds,
    @Nullable VerifiedRows verified,
    StorageReport storage) {

  /**
   * The speed of a phase.
   *
   * @param operations completed operations; a read-modify-write is one operation
   * @param seconds time from the first start to the last end
   * @param operationsPerSecond {@code operations} divided by {@code seconds}
   */
  record Speed(long operations, double seconds, double operationsPerSecond) {

    static Speed of(long operations, double seconds) {
      return new Speed(operations, seconds, operations / seconds);
    }
  }

  /**
   * The figures of one kind of operation.
   *
   * @param operation name of the operation
   * @param succeeded number of successful operations, which the latencies cover
   * @param failed number of failed operations by status
   * @param latencyMicros time from the start of an operation to its end
   * @param intendedLatencyMicros time from the intended start; null without a target
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Kind(
      String operation,
      long succeeded,
      Map<String, Long> failed,
      Latency latencyMicros,
      @Nullable Latency intendedLatencyMicros) {

    long failures() {
      return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The latency that users see: from the intended start if there is a target. */
    Latency felt() {
      return intendedLatencyMicros == null ? latencyMicros : intendedLatencyMicros;
    }
  }

  /** A distribution of latencies in microseconds. */
  record Latency(double mean, @JsonUnwrapped Percentiles percentiles, double max) {

    private static final double NANOS_PER_MICRO = 1_000;

    static Latency of(Histogram nanos) {
      return new Latency(
          nanos.getMean() / NANOS_PER_MICRO,
          new Percentiles(
              at(nanos, 50), at(nanos, 90), at(nanos, 95), at(nanos, 99), at(nanos, 99.9)),
          nanos.getMaxValue() / NANOS_PER_MICRO);
    }

    private static double at(Histogram nanos, double percentile) {
      return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
  }

  /** Percentiles of a distribution; {@code p999} is 99.9 %. */
  record Percentiles(double p50, double p90, double p95, double p99, double p999) {}

  /** Creates the report of a phase. */
  static PhaseReport of(
      String name, PhaseRunner.Outcome outcome, boolean verified, StorageReport storage) {
    List<Kind> kinds = new ArrayList<>();
    long failures = 0;
    for (OperationKind kind : OperationKind.values()) {
      Histogram service = outcome.latencies().service(kind);
      Map<String, Long> failed = outcome.latencies().failures(kind);
      if (service.getTotalCount() == 0 && failed.isEmpty()) {
        continue;
      }
      Histogram intended = outcome.latencies().intended(kind);
      Kind report = new Kind(
          kind.label(),
          service.getTotalCount(),
          failed,
          Latency.of(service),
          intended.getTotalCount() == 0 ? null : Latency.of(intended));
      kinds.add(report);
      // The failure was already counted for its read or its update.
      failures += kind == OperationKind.READ_MODIFY_WRITE ? 0 : report.failures();
    }
    return new PhaseReport(
        name,
        Speed.of(outcome.operations(), outcome.seconds()),
        failures + outcome.verified().errors(),
        kinds,
        verified ? outcome.verified() : null,
        storage);
  }

  /** The number of inserted records. */
  long inserted() {
    return kinds.stream()
        .filter(kind -> kind.operation().equals(OperationKind.INSERT.label()))
        .mapToLong(Kind::succeeded)
        .sum();
  }
}
