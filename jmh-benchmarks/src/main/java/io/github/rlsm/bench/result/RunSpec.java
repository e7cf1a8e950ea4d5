// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.Workload;
import java.util.List;
import java.util.Map;

/**
 * The task of one process: one store, one workload, once.
 *
 * @param store the store
 * @param workload the workload, already scaled
 * @param clients client threads, unless the workload defines them
 * @param memoryBytes memory for the whole process
 * @param seed seed of all random numbers
 * @param phaseSecondsMax time after which a phase is stopped
 * @param phases names of the phases to run in addition to the load; empty for all
 * @param readRounds factor for the number of gets and scans: with all data in memory, one round is
 *     too short to measure
 * @param rehearse whether to run all phases on little data first, unmeasured, to warm up the
 *     just-in-time compiler
 * @param rlsmOptions options by name for the RLSM store
 */
public record RunSpec(
    StoreKind store,
    Workload workload,
    int clients,
    long memoryBytes,
    long seed,
    int phaseSecondsMax,
    List<String> phases,
    int readRounds,
    boolean rehearse,
    Map<String, String> rlsmOptions) {

  /** Copies the collections. */
  public RunSpec {
    phases = List.copyOf(phases);
    rlsmOptions = Map.copyOf(rlsmOptions);
  }
}
