// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import site.ycsb.Status;

/**
 * How long operations took and how they ended. Latencies are those of operations that succeeded, in
 * nanoseconds, to three digits.
 *
 * <p>Threads: one thread at a time. Each client thread has its own, added up when all have ended,
 * so that measuring costs no shared write.
 */
final class Latencies {

  private static final int DIGITS = 3;

  private final Map<OperationKind, Histogram> service = new EnumMap<>(OperationKind.class);
  private final Map<OperationKind, Histogram> intended = new EnumMap<>(OperationKind.class);
  private final Map<OperationKind, Map<String, Long>> failures = new EnumMap<>(OperationKind.class);

  /** An operation that ended, with the time from its start. */
  void record(OperationKind kind, Status status, long nanos) {
    if (status.isOk()) {
      histogram(service, kind).recordValue(Math.max(nanos, 0));
    } else {
      failures.computeIfAbsent(kind, k -> new TreeMap<>()).merge(status.getName(), 1L, Long::sum);
    }
  }

  /**
   * The time of a successful operation from when it should have started: with a target throughput,
   * an operation that starts late because the one before it was slow counts as slow itself.
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

  /** Latencies of the operations of a kind that succeeded; empty if there were none. */
  Histogram service(OperationKind kind) {
    return histogram(service, kind);
  }

  /** As {@link #service}, from the intended start; empty without a target throughput. */
  Histogram intended(OperationKind kind) {
    return histogram(intended, kind);
  }

  /** How many operations of a kind failed, by the name of their status. */
  Map<String, Long> failures(OperationKind kind) {
    return failures.getOrDefault(kind, Map.of());
  }

  private static Histogram histogram(Map<OperationKind, Histogram> of, OperationKind kind) {
    return of.computeIfAbsent(kind, k -> new Histogram(DIGITS));
  }
}
