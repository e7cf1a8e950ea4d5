// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.gauge.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result of a whole measurement.
 *
 * @param date the start time, ISO 8601
 * @param commit the commit of the measured source
 * @param command the command line
 * @param hbase HBase's version
 * @param machine the machine
 * @param engines the results, one element per server; engines that ran repeatedly have several
 */
public record HBaseResult(
    String date,
    String commit,
    String command,
    String hbase,
    Machine machine,
    List<EngineResult> engines) {

  /**
   * The result of one engine.
   *
   * @param spec the parameters of the run
   * @param phases the phases in order
   * @param statistics the engine's own counters at the end; empty for HBase's engines
   */
  public record EngineResult(
      HBaseSpec spec, List<HBasePhase> phases, Map<String, Long> statistics) {
    /** Copies the phases and statistics. */
    public EngineResult {
      phases = List.copyOf(phases);
      statistics = Map.copyOf(statistics);
    }
  }

  /** Copies the list of engines. */
  public HBaseResult {
    engines = List.copyOf(engines);
  }

  /** The runs of an engine, in their order. */
  List<EngineResult> runs(EngineKind engine) {
    return engines.stream().filter(run -> run.spec().engine() == engine).toList();
  }

  /**
   * Describes why further runs cannot be compared with these; empty if they can.
   *
   * @param now the commit of the further runs
   * @param specs the parameters of the further runs of each engine
   */
  Optional<String> difference(String now, Function<EngineKind, HBaseSpec> specs) {
    if (!commit.equals(now)) {
      return Optional.of("of commit " + commit + ", and this is " + now);
    }
    return engines.stream()
        .map(EngineResult::spec)
        .filter(spec -> !spec.equals(specs.apply(spec.engine())))
        .findFirst()
        .map(spec -> "with " + spec + ", and the options say " + specs.apply(spec.engine()));
  }

  /** A copy with the result of one more run. */
  HBaseResult with(EngineResult result) {
    List<EngineResult> all = new ArrayList<>(engines);
    all.add(result);
    return new HBaseResult(date, commit, command, hbase, machine, all);
  }
}
