// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.workload.PhasePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongFunction;
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

  /** Operations per second of a phase, if it was completed. */
  public OptionalDouble rate(String phase) {
    return phase(phase).stream().mapToDouble(PhaseResult::throughput).findFirst();
  }

  /** Operations per second of a phase, including the time until background work ended. */
  public OptionalDouble settledRate(String phase, String settling) {
    return both(
        phase,
        settling,
        (work, rest) ->
            work.work().operations() / (work.work().seconds() + rest.work().seconds()));
  }

  /** Bytes written to storage until settled, per byte of the keys and values put. */
  public OptionalDouble writeAmplification(String phase, String settling) {
    return both(
        phase,
        settling,
        (work, rest) -> work.use().io().bytesWritten() < 0
            ? Double.NaN
            : (double) (work.use().io().bytesWritten() + rest.use().io().bytesWritten())
                / (work.work().puts() * spec.workload().entryBytes()));
  }

  /** Bytes read from storage in a phase, per operation. */
  public OptionalDouble bytesReadEach(String phase) {
    return each(phase, use -> use.io().bytesRead());
  }

  /** Read requests of the device in a phase, per operation. */
  public OptionalDouble deviceReadsEach(String phase) {
    return each(phase, use -> use.deviceReads() == null ? -1 : use.deviceReads());
  }

  /** A count of a phase per operation; empty if the count is negative, which means unknown. */
  private OptionalDouble each(String phase, ToLongFunction<PhaseResult.Use> count) {
    return phase(phase).stream()
        .filter(result -> count.applyAsLong(result.use()) >= 0 && result.work().operations() > 0)
        .mapToDouble(result ->
            (double) count.applyAsLong(result.use()) / (double) result.work().operations())
        .findFirst();
  }

  /** Disk usage at the end of a phase, per byte of all loaded keys and values. */
  public OptionalDouble spaceAmplification(String phase) {
    return phase(phase).stream()
        .mapToDouble(result -> result.use().diskBytes() / dataBytes())
        .findFirst();
  }

  /** Peak disk usage during a phase, per byte of all loaded keys and values. */
  public OptionalDouble peakSpaceAmplification(String phase) {
    return phase(phase).stream()
        .filter(result -> result.use().diskPeakBytes() > 0)
        .mapToDouble(result -> result.use().diskPeakBytes() / dataBytes())
        .findFirst();
  }

  /** The number of keys that the load put. */
  public long keysLoaded() {
    return phase(PhasePlan.LOAD).map(phase -> phase.work().operations()).orElse(0L);
  }

  private double dataBytes() {
    return (double) (keysLoaded() * spec.workload().entryBytes());
  }

  private OptionalDouble both(
      String phase, String settling, ToDoubleBiFunction<PhaseResult, PhaseResult> value) {
    return phase(phase).stream()
        .flatMap(work -> phase(settling).stream().map(rest -> value.applyAsDouble(work, rest)))
        .mapToDouble(Double::doubleValue)
        .filter(Double::isFinite)
        .findFirst();
  }

  /** A copy without the store's own figures, which are long. */
  public StoreResult withoutStatistics() {
    return new StoreResult(spec, repetition, cores, phases, Map.of(), failure);
  }

  /** A copy with the reason of a failure. */
  public StoreResult failed(String reason) {
    return new StoreResult(spec, repetition, cores, phases, statistics, reason);
  }
}
