// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * Counts the operations and the errors of one client in one phase.
 *
 * <p>Threads: one thread at a time.
 */
final class Tally {

  /** The kinds of calls with separate latencies. */
  enum Call {
    /** Gets. */
    GET,
    /** Puts. */
    PUT,
    /** Deletes. */
    DELETE,
    /** Whole scans. */
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

  /** Counts a completed operation. */
  void countOperation() {
    operations++;
  }

  /** Counts an acknowledged put. */
  void countPut() {
    puts++;
  }

  /** Counts a value that was read and checked. */
  void countEntry() {
    entries++;
  }

  /** Counts present keys that were not found. */
  void countMissing(long keys) {
    missing += keys;
  }

  /** Counts a key or value that was never written, or was read out of order. */
  void countWrong() {
    wrong++;
  }

  /** Adds the tally of another client. */
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
