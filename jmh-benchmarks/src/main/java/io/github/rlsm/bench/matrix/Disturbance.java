// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import java.util.List;

/**
 * The use of the processors by others than the measured store: other programs, or the host of a
 * virtual machine. Phases with writes are left out: there, threads of the kernel work for the
 * store, and count as others too.
 *
 * @param phase name of the phase
 * @param share part of the time of all processors, from 0 to 1
 */
public record Disturbance(String phase, double share) {

  /** A phase in which others had a larger share is disturbed. */
  public static final double SHARE_MAX = 0.1;

  /** The disturbed phases of a store, in their order. */
  public static List<Disturbance> of(StoreResult run) {
    return run.phases().stream()
        .filter(phase -> phase.work().puts() == 0 && phase.work().operations() > 0)
        .map(phase -> new Disturbance(phase.phase(), share(phase, run.cores())))
        .filter(one -> one.share() > SHARE_MAX)
        .toList();
  }

  private static double share(PhaseResult phase, int cores) {
    return phase.use().cpu().others() / (phase.work().seconds() * cores);
  }

  /** The largest share of a disturbed phase of a case; 0 if none is disturbed. */
  static double most(BenchResult result) {
    return result.runs().stream()
        .flatMap(run -> of(run).stream())
        .mapToDouble(Disturbance::share)
        .max()
        .orElse(0);
  }

  /** Of two results of a case, the one that was disturbed less. */
  public static BenchResult less(BenchResult first, BenchResult second) {
    return most(second) < most(first) ? second : first;
  }
}
