// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.gauge.Machine;
import java.util.List;

/**
 * A whole measurement: its command, its machine, and its results.
 *
 * @param date start time, ISO 8601
 * @param commit the commit that was measured
 * @param command the command line
 * @param machine the machine that ran it
 * @param memoryLimit a description of the memory limit
 * @param runs one element per process
 */
public record BenchResult(
    String date,
    String commit,
    String command,
    Machine machine,
    String memoryLimit,
    List<StoreResult> runs) {

  /** Copies the list. */
  public BenchResult {
    runs = List.copyOf(runs);
  }
}
