// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.gauge.Machine;
import java.util.List;

/**
 * The results of one process.
 *
 * @param spec the task of the process
 * @param loadSeconds duration of the load by one client with synchronous calls
 * @param phases the phases, in order
 */
public record ShardsResult(ShardsSpec spec, double loadSeconds, List<ShardsPhase> phases) {

  /** Copies the list. */
  public ShardsResult {
    phases = List.copyOf(phases);
  }

  /** The results of all processes, in the form of the result file. */
  public record All(
      String date, String commit, String command, Machine machine, List<ShardsResult> results) {

    /** Copies the list. */
    public All {
      results = List.copyOf(results);
    }
  }
}
