// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings and the measurements of a run. The machine-readable report is this record as JSON.
 * Times are in seconds, latencies in microseconds, sizes in bytes. Figures that were not measured
 * are omitted.
 *
 * @param formatVersion increases when a field changes its meaning or is removed
 * @param started start time in ISO 8601, UTC
 * @param outcome whether the run succeeded
 * @param machine the machine that ran it
 * @param settings the settings of the run
 * @param sessions the loads, each with the workloads that ran on it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"formatVersion", "started", "outcome", "machine", "settings"})
record RunReport(
    int formatVersion,
    String started,
    @JsonUnwrapped Outcome outcome,
    Machine machine,
    Settings settings,
    List<Session> sessions) {

  static final int FORMAT_VERSION = 1;

  /**
   * Whether the run succeeded.
   *
   * @param complete whether every phase finished
   * @param failure reason if a phase did not finish, else null
   * @param errors failed operations and wrong records of all phases
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Outcome(boolean complete, @Nullable String failure, long errors) {

    /** Whether every phase finished, without an error. */
    @JsonIgnore
    boolean isClean() {
      return complete && errors == 0;
    }
  }

  /** The machine of a run. */
  record Machine(String os, String architecture, int processors, String java, long heapBytesMax) {

    /** The machine of this process. */
    static Machine current() {
      return new Machine(
          System.getProperty("os.name") + " " + System.getProperty("os.version"),
          System.getProperty("os.arch"),
          Runtime.getRuntime().availableProcessors(),
          System.getProperty("java.vm.name") + " " + Runtime.version(),
          Runtime.getRuntime().maxMemory());
    }
  }

  /** The settings of a run. */
  record Settings(
      @JsonUnwrapped StoreSettings store,
      @JsonUnwrapped DataSettings data,
      int threads,
      int targetOperationsPerSecond,
      boolean dataIntegrity,
      boolean settle) {

    /** The store and its options. */
    record StoreSettings(String store, Map<String, String> storeOptions, String durability) {}

    /** The number and the shape of records. */
    record DataSettings(int records, int fieldCount, int fieldLength, boolean blindUpdates) {}

    static Settings of(LaunchOptions options) {
      return new Settings(
          new StoreSettings(options.store, options.storeOptions, options.durability.name()),
          new DataSettings(
              options.records,
              options.shape.fieldCount(),
              options.shape.fieldLength(),
              options.shape.isOneValue()),
          options.threads,
          options.target,
          options.dataIntegrity,
          options.settle);
    }
  }

  /**
   * A load into an empty directory, and the workloads on it.
   *
   * @param closeSeconds duration of the close after the load
   * @param openSeconds duration of the next opening
   * @param phases the load, then the workloads
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Session(
      @Nullable Double closeSeconds, @Nullable Double openSeconds, List<PhaseReport> phases) {}

  /** All phases, in the order of their execution. */
  List<PhaseReport> phases() {
    return sessions.stream().flatMap(session -> session.phases().stream()).toList();
  }
}
