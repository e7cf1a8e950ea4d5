// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of one process.
 *
 * @param spec the task of the process
 * @param repetition number of the repetition, from 1
 * @param cores processors the process could use
 * @param phases the completed phases
 * @param statistics the store's own figures at the end
 * @param failure the reason why phases are missing; null if all phases were completed
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

  /** The phase with that name, if it was completed. */
  public Optional<PhaseResult> phase(String name) {
    return phases.stream().filter(phase -> phase.phase().equals(name)).findFirst();
  }

  /** A copy with the reason of a failure. */
  public StoreResult failed(String reason) {
    return new StoreResult(spec, repetition, cores, phases, statistics, reason);
  }
}
