// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.Workload;
import java.util.List;
import java.util.Map;

/**
 * The task of one process: one store, one workload, once.
 *
 * @param store the store
 * @param workload the workload, already scaled
 * @param conditions the conditions of the measurement
 * @param plan the phases to run
 * @param rlsmOptions options by name for the RLSM store
 */
public record RunSpec(
    StoreKind store,
    Workload workload,
    @JsonUnwrapped Conditions conditions,
    @JsonUnwrapped Plan plan,
    Map<String, String> rlsmOptions) {

  /**
   * The conditions of a measurement.
   *
   * @param clients client threads, unless the workload defines them
   * @param memoryBytes memory for the whole process
   * @param seed seed of all random numbers
   * @param phaseSecondsMax time after which a phase is stopped
   */
  public record Conditions(int clients, long memoryBytes, long seed, int phaseSecondsMax) {}

  /**
   * The phases to run.
   *
   * @param phases names of the phases to run in addition to the load; empty for all
   * @param readRounds factor for the number of gets and scans: with all data in memory, one round
   *     is too short to measure
   * @param rehearse whether to run all phases on little data first, unmeasured, to warm up the
   *     just-in-time compiler
   * @param schedule what ends a phase; results from before it existed lack it
   */
  public record Plan(List<String> phases, int readRounds, boolean rehearse, Schedule schedule) {

    /** Copies the list, and replaces a missing schedule. */
    public Plan {
      phases = List.copyOf(phases);
      schedule = schedule == null ? Schedule.COUNTED : schedule;
    }
  }

  /** What ends the phases. */
  public enum Schedule {
    /** A number of operations that depends on the number of keys. */
    COUNTED,
    /** Time for reads, bytes for writes: {@code MatrixPhases}. */
    MATRIX
  }

  /** Copies the map. */
  public RunSpec {
    rlsmOptions = Map.copyOf(rlsmOptions);
  }
}
