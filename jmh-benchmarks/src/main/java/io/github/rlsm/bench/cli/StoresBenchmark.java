// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures whole stores, one process after the other. Saves the results after each process. */
final class StoresBenchmark {

  private final StoreOptions options;
  private final Path output;
  private final String command;

  /**
   * Creates a measurement.
   *
   * @param output existing directory for the results
   * @param command the command line, for the report
   */
  StoresBenchmark(StoreOptions options, Path output, String command) {
    this.options = options;
    this.output = output;
    this.command = command;
  }

  BenchResult run() throws IOException, InterruptedException {
    List<RunSpec> specs = options.specs();
    Files.createDirectories(options.data);
    MemoryLimit limit = MemoryLimit.find(options.noLimit, options.memoryMebibytes << 20);
    String memory = limit.description();
    String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    String commit = System.getProperty("bench.commit", "unknown");
    Machine machine = Machine.describe(options.data);
    ChildProcess child =
        new ChildProcess(output, options.data, options.jvmArguments, limit.enforced());
    List<StoreResult> runs = new ArrayList<>();
    BenchResult result = new BenchResult(date, commit, command, machine, memory, runs);
    for (int repetition = 1; repetition <= options.repeat; repetition++) {
      for (RunSpec spec : specs) {
        System.out.printf(
            Locale.ROOT,
            "%s, %,d × %,d B, %s, run %d of %d%n",
            spec.workload().name(),
            spec.workload().keys(),
            spec.workload().valueBytes(),
            spec.store().title(),
            repetition,
            options.repeat);
        StoreResult run = child.run(spec, repetition);
        if (run.failure() != null) {
          System.out.println("  failed: " + run.failure());
        }
        runs.add(run);
        result = new BenchResult(date, commit, command, machine, memory, runs);
        Json.write(output.resolve(Report.STORES), result);
      }
    }
    return result;
  }
}
