// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one process measured.
 *
 * @param spec what was asked for
 * @param repetition which of several equal runs, from 1
 * @param cores processors the process could use
 * @param phases the phases that were done
 * @param statistics the store's own figures at the end
 * @param failure why not all phases were done; null if they were
 */
public record StoreResult(
    RunSpec spec,
    int repetition,
    int cores,
    List<PhaseResult> phases,
    Map<String, String> statistics,
    @Nullable String failure) {

  /** Copies the collections. */
  public StoreResult {
    phases = List.copyOf(phases);
    statistics = Map.copyOf(statistics);
  }

  /** The phase of that name, if it was done. */
  public Optional<PhaseResult> phase(String name) {
    return phases.stream().filter(phase -> phase.phase().equals(name)).findFirst();
  }

  /** The same with a reason for having failed. */
  public StoreResult failed(String reason) {
    return new StoreResult(spec, repetition, cores, phases, statistics, reason);
  }
}
