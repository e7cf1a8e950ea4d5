// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import static io.github.rlsm.bench.workload.MatrixPhases.OVERWRITE_ZIPFIAN;
import static io.github.rlsm.bench.workload.MatrixPhases.OVERWRITE_ZIPFIAN_SETTLE;
import static io.github.rlsm.bench.workload.MatrixPhases.SCAN_LONG_ZIPFIAN;
import static io.github.rlsm.bench.workload.MatrixPhases.SCAN_SHORT_ZIPFIAN;

import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.PhasePlan;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The phases that the table compares. */
public enum MatrixColumn {
  /** The load. */
  LOAD("load", PhasePlan.LOAD, null, null, null),
  /** The load, until background work has ended. */
  LOAD_SETTLED("load settled", PhasePlan.LOAD, PhasePlan.LOAD_SETTLE, null, null),
  /** Uniform gets. */
  READ("get", PhasePlan.READ, null, null, null),
  /** Zipfian gets. */
  READ_ZIPFIAN("zipf get", PhasePlan.READ_ZIPFIAN, null, null, null),
  /** The first short scans after the load, or after the overwrites for zipfian keys. */
  SCAN_SHORT("first scan ≤100", PhasePlan.SCAN_SHORT, null, SCAN_SHORT_ZIPFIAN, null),
  /** Scans of 1,000 entries. */
  SCAN_LONG("scan 1000", PhasePlan.SCAN_LONG, null, SCAN_LONG_ZIPFIAN, null),
  /** Overwrites. */
  OVERWRITE("overwrite", PhasePlan.OVERWRITE, null, OVERWRITE_ZIPFIAN, null),
  /** Overwrites, until background work has ended. */
  OVERWRITE_SETTLED(
      "overwrite settled",
      PhasePlan.OVERWRITE,
      PhasePlan.OVERWRITE_SETTLE,
      OVERWRITE_ZIPFIAN,
      OVERWRITE_ZIPFIAN_SETTLE),
  /** Half gets, half puts, of zipfian keys. */
  MIXED("50/50", PhasePlan.MIXED, null, null, null);

  private final String title;
  private final String phase;
  private final @Nullable String settling;
  private final @Nullable String zipfian;
  private final @Nullable String zipfianSettling;

  /** The phase, and the settling that counts as part of it. */
  private record Names(String phase, @Nullable String settling) {}

  MatrixColumn(
      String title,
      String phase,
      @Nullable String settling,
      @Nullable String zipfian,
      @Nullable String zipfianSettling) {
    this.title = title;
    this.phase = phase;
    this.settling = settling;
    this.zipfian = zipfian;
    this.zipfianSettling = zipfianSettling;
  }

  /** The heading. */
  public String title() {
    return title;
  }

  /** The name of the phase; empty if it is part of another row. */
  Optional<String> phase(KeyPattern keys) {
    return names(keys).map(Names::phase);
  }

  /** Operations per second; empty if the run lacks the phase, or it is part of another row. */
  OptionalDouble rate(StoreResult run, KeyPattern keys) {
    return names(keys)
        .map(names -> names.settling() == null
            ? run.rate(names.phase())
            : run.settledRate(names.phase(), names.settling()))
        .orElseGet(OptionalDouble::empty);
  }

  private Optional<Names> names(KeyPattern keys) {
    return keys == KeyPattern.ZIPFIAN
        ? Optional.ofNullable(zipfian).map(name -> new Names(name, zipfianSettling))
        : Optional.of(new Names(phase, settling));
  }
}
