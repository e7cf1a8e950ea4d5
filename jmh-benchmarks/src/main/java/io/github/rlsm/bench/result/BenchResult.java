// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.gauge.Machine;
import java.util.List;

/**
 * A whole measurement: what was run, where, and what came of it.
 *
 * @param date when it began, ISO 8601
 * @param commit the source it was built from
 * @param command the command line
 * @param machine where it ran
 * @param memoryLimit how memory was limited, in words
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
