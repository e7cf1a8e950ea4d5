// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.Workload;
import java.util.List;
import java.util.Map;

/**
 * What one process is to measure: one store, one workload, once.
 *
 * @param store the store
 * @param workload the workload, already scaled
 * @param clients client threads, where the workload does not say
 * @param memoryBytes memory for the whole process
 * @param seed what all random numbers follow from
 * @param phaseSecondsMax when to cut a phase short
 * @param phases names of the phases wanted besides the load; empty for all
 * @param readRounds how many times as many gets and scans as usual: where all is in memory, one
 *     round is over before it can be measured
 * @param rehearse whether to run all phases on little data first, unmeasured, so that the
 *     just-in-time compiler has done its work
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
