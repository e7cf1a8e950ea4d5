// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * What one client has done and found wrong in one phase.
 *
 * <p>Threads: one thread at a time.
 */
final class Tally {

  /** The calls whose latency is told apart. */
  enum Call {
    /** Gets. */
    GET,
    /** Puts. */
    PUT,
    /** Scans, each as a whole. */
    SCAN
  }

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Map<Call, Histogram> latencies = new EnumMap<>(Call.class);
  private long operations;
  private long puts;
  private long entries;
  private long missing;
  private long wrong;

  Tally() {
    for (Call call : Call.values()) {
      latencies.put(call, new Histogram(SIGNIFICANT_DIGITS));
    }
  }

  /** The latencies of one kind of call, in nanoseconds. */
  Histogram latency(Call call) {
    return Objects.requireNonNull(latencies.get(call));
  }

  /** One operation is done. */
  void countOperation() {
    operations++;
  }

  /** One put was acknowledged. */
  void countPut() {
    puts++;
  }

  /** One value was read and checked. */
  void countEntry() {
    entries++;
  }

  /** So many keys that are there were not found. */
  void countMissing(long keys) {
    missing += keys;
  }

  /** A key or value was read that was never written so, or out of order. */
  void countWrong() {
    wrong++;
  }

  /** Adds what another client did. */
  void add(Tally other) {
    latencies.forEach((call, histogram) -> histogram.add(other.latency(call)));
    operations += other.operations;
    puts += other.puts;
    entries += other.entries;
    missing += other.missing;
    wrong += other.wrong;
  }

  long operations() {
    return operations;
  }

  long puts() {
    return puts;
  }

  long entries() {
    return entries;
  }

  long missing() {
    return missing;
  }

  long wrong() {
    return wrong;
  }
}
