// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.gauge.Machine;
import java.util.List;

/**
 * What one process has measured.
 *
 * @param spec what it was told
 * @param loadSeconds how long the load took, by one client that waited for each call
 * @param phases in their order
 */
public record ShardsResult(ShardsSpec spec, double loadSeconds, List<ShardsPhase> phases) {

  /** Copies the list. */
  public ShardsResult {
    phases = List.copyOf(phases);
  }

  /** All processes' results, as they are kept. */
  public record All(
      String date, String commit, String command, Machine machine, List<ShardsResult> results) {

    /** Copies the list. */
    public All {
      results = List.copyOf(results);
    }
  }
}
