// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.gauge.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A whole measurement.
 *
 * @param date when it began, ISO 8601
 * @param commit the source it was built from
 * @param command the command line
 * @param hbase HBase's version
 * @param machine where it ran
 * @param engines what was measured, one element for each server
 */
public record HBaseResult(
    String date,
    String commit,
    String command,
    String hbase,
    Machine machine,
    List<EngineResult> engines) {

  /**
   * What was measured with one engine.
   *
   * @param spec what was asked for
   * @param phases in their order
   * @param statistics the engine's own figures at the end; empty for HBase's
   */
  public record EngineResult(
      HBaseSpec spec, List<HBasePhase> phases, Map<String, Long> statistics) {
    /** Takes copies. */
    public EngineResult {
      phases = List.copyOf(phases);
      statistics = Map.copyOf(statistics);
    }
  }

  /** Takes a copy. */
  public HBaseResult {
    engines = List.copyOf(engines);
  }

  /** The same with one engine measured, or measured again. */
  HBaseResult with(EngineResult result) {
    List<EngineResult> all = new ArrayList<>(engines);
    all.removeIf(known -> known.spec().engine() == result.spec().engine());
    all.add(result);
    return new HBaseResult(date, commit, command, hbase, machine, all);
  }
}
