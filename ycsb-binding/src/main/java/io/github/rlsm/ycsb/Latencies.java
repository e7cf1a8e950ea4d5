// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import site.ycsb.Status;

/**
 * Records latencies and results of operations. Latencies cover successful operations only, in
 * nanoseconds, with three digits of precision.
 *
 * <p>Threads: one thread at a time. Each client thread has its own object, and they are added up
 * when all threads have ended. So a measurement costs no shared write.
 */
final class Latencies {

  private static final int DIGITS = 3;

  private final Map<OperationKind, Histogram> service = new EnumMap<>(OperationKind.class);
  private final Map<OperationKind, Histogram> intended = new EnumMap<>(OperationKind.class);
  private final Map<OperationKind, Map<String, Long>> failures = new EnumMap<>(OperationKind.class);

  /** Records a completed operation with the time since its start. */
  void record(OperationKind kind, Status status, long nanos) {
    if (status.isOk()) {
      histogram(service, kind).recordValue(Math.max(nanos, 0));
    } else {
      failures.computeIfAbsent(kind, k -> new TreeMap<>()).merge(status.getName(), 1L, Long::sum);
    }
  }

  /**
   * Records the time of a successful operation since its intended start. With a target throughput,
   * an operation that starts late behind a slow operation counts as slow itself.
   */
  void recordIntended(OperationKind kind, long nanos) {
    histogram(intended, kind).recordValue(Math.max(nanos, 0));
  }

  /** Adds another thread's figures. */
  void add(Latencies other) {
    other.service.forEach((kind, histogram) -> histogram(service, kind).add(histogram));
    other.intended.forEach((kind, histogram) -> histogram(intended, kind).add(histogram));
    other.failures.forEach((kind, counts) -> counts.forEach((status, count) ->
        failures.computeIfAbsent(kind, k -> new TreeMap<>()).merge(status, count, Long::sum)));
  }

  /** Latencies of a kind's successful operations; may be empty. */
  Histogram service(OperationKind kind) {
    return histogram(service, kind);
  }

  /** Like {@link #service}, from the intended start; empty without a target throughput. */
  Histogram intended(OperationKind kind) {
    return histogram(intended, kind);
  }

  /** The number of failed operations of a kind, by status name. */
  Map<String, Long> failures(OperationKind kind) {
    return failures.getOrDefault(kind, Map.of());
  }

  private static Histogram histogram(Map<OperationKind, Histogram> of, OperationKind kind) {
    return of.computeIfAbsent(kind, k -> new Histogram(DIGITS));
  }
}
