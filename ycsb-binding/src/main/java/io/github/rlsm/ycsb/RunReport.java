// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run was and what it measured; the machine-readable report is this record as JSON. Times
 * are in seconds, latencies in microseconds, sizes in bytes. Something that was not measured is
 * left out.
 *
 * @param formatVersion rises when a field changes its meaning or goes
 * @param started when, in ISO 8601, UTC
 * @param complete whether every phase ran to its end
 * @param failure why it did not; null if it did
 * @param errors failed operations and wrong records of all phases
 * @param machine what it ran on
 * @param settings what was asked for
 * @param sessions the loads, each with the workloads that ran on it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({
  "formatVersion",
  "started",
  "complete",
  "failure",
  "errors",
  "machine",
  "settings"
})
record RunReport(
    int formatVersion,
    String started,
    boolean complete,
    @Nullable String failure,
    long errors,
    Machine machine,
    Settings settings,
    List<Session> sessions) {

  static final int FORMAT_VERSION = 1;

  /** Where it ran. */
  record Machine(String os, String architecture, int processors, String java, long heapBytesMax) {

    /** This process's. */
    static Machine current() {
      return new Machine(
          System.getProperty("os.name") + " " + System.getProperty("os.version"),
          System.getProperty("os.arch"),
          Runtime.getRuntime().availableProcessors(),
          System.getProperty("java.vm.name") + " " + Runtime.version(),
          Runtime.getRuntime().maxMemory());
    }
  }

  /** What was asked for. */
  record Settings(
      String store,
      Map<String, String> storeOptions,
      String durability,
      int records,
      int fieldCount,
      int fieldLength,
      boolean blindUpdates,
      int threads,
      int targetOperationsPerSecond,
      boolean dataIntegrity,
      boolean settle) {

    static Settings of(LaunchOptions options) {
      return new Settings(
          options.store,
          options.storeOptions,
          options.durability.name(),
          options.records,
          options.shape.fieldCount(),
          options.shape.fieldLength(),
          options.shape.isOneValue(),
          options.threads,
          options.target,
          options.dataIntegrity,
          options.settle);
    }
  }

  /**
   * A load into an empty directory and what ran on it.
   *
   * @param closeSeconds closing the store after the load
   * @param openSeconds opening it again
   * @param phases the load, then the workloads
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Session(
      @Nullable Double closeSeconds, @Nullable Double openSeconds, List<PhaseReport> phases) {}

  /** All phases, in the order in which they ran. */
  List<PhaseReport> phases() {
    return sessions.stream().flatMap(session -> session.phases().stream()).toList();
  }
}
