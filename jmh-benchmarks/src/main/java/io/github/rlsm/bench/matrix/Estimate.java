// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Estimates the duration of cases. A process takes a fixed time, the time of its timed phases, and
 * for each put a time that is linear in the bytes of an entry. The constants come from earlier
 * measurements, see {@code docs/benchmarks/matrix}. Finished cases correct the estimate.
 */
public final class Estimate {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double PROCESS_SECONDS = 16;
  private static final int TIMED_PHASES = 5;
  private static final int TIMED_PHASES_ZIPFIAN = 2;
  private static final double SETTLE_SECONDS_MAX = 20;

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Estimate() {}

  /**
   * The time of puts until settled, in microseconds.
   *
   * @param load fixed part of a put of a load
   * @param loadByte part for each byte of an entry
   * @param overwrite fixed part of a put of a present key
   * @param overwriteByte part for each byte of an entry
   */
  private record PutCost(double load, double loadByte, double overwrite, double overwriteByte) {

    static PutCost of(StoreKind store) {
      return switch (store) {
        case RLSM, RLSM_DIRECT -> new PutCost(1, 0.002, 1.4, 0.008);
        case BLOBDB -> new PutCost(9, 0.0095, 18, 0.013);
        default -> new PutCost(3.8, 0.0103, 5, 0.0125);
      };
    }

    double loadMicros(long entryBytes) {
      return load + loadByte * (double) entryBytes;
    }

    double overwriteMicros(long entryBytes) {
      return overwrite + overwriteByte * (double) entryBytes;
    }
  }

  /** The probable duration of a case, all its processes together. */
  public static Duration of(MatrixCase one, MatrixSettings settings) {
    double seconds = one.stores().stream()
        .mapToDouble(store -> processSeconds(one, store, settings))
        .sum();
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  /** The probable duration of several cases. */
  public static Duration of(List<MatrixCase> cases, MatrixSettings settings) {
    return cases.stream().map(one -> of(one, settings)).reduce(Duration.ZERO, Duration::plus);
  }

  private static double processSeconds(MatrixCase one, StoreKind store, MatrixSettings settings) {
    Workload workload = one.workload(settings);
    PutCost cost = PutCost.of(store);
    double keys = (double) workload.keys();
    long entryBytes = StoreSettings.KEY_BYTES + (long) workload.valueBytes();
    boolean fits = StoreSettings.fitsInMemory(workload.dataBytes(), settings.memoryBytes());
    boolean zipfian = one.order() == KeyOrder.RANDOM;
    double loadOfOne = cost.loadMicros(entryBytes) / MICROS_PER_SECOND;
    double load = keys * loadOfOne;
    double rehearsed = (double) workload.writeRehearsal(settings.memoryBytes()).keys() * loadOfOne;
    double overwrite = Math.min(
        keys
            * MatrixPhases.overwriteRounds(fits)
            * cost.overwriteMicros(entryBytes)
            / MICROS_PER_SECOND,
        MatrixPhases.OVERWRITE_SECONDS_MAX + SETTLE_SECONDS_MAX);
    int timed = TIMED_PHASES + (zipfian ? TIMED_PHASES_ZIPFIAN : 0);
    return PROCESS_SECONDS
        + Math.min(rehearsed, PhasePlan.LOAD_REHEARSAL_SECONDS)
        + (fits ? PhasePlan.OVERWRITE_REHEARSAL_SECONDS : 0)
        + load
        + (zipfian ? 2 : 1) * overwrite
        + (double) (timed * settings.seconds());
  }

  /**
   * The probable time until all remaining cases are done.
   *
   * @param remaining estimate of the remaining cases
   * @param finished estimate of the cases that this run has finished
   * @param spent time that the finished cases took
   */
  public static Duration corrected(Duration remaining, Duration finished, Duration spent) {
    if (finished.isZero()) {
      return remaining;
    }
    double factor = (double) spent.toMillis() / (double) finished.toMillis();
    return Duration.ofMillis(Math.round((double) remaining.toMillis() * factor));
  }

  /** The line that tells a user how far the run is. */
  public static String progress(
      int number, int of, MatrixCase next, Instant now, Duration remaining) {
    return String.format(
        Locale.ROOT,
        "case %d of %d: %s; %d min left, end at about %s UTC",
        number,
        of,
        next.title(),
        Math.max(1, remaining.toMinutes()),
        CLOCK.format(now.plus(remaining)));
  }
}
