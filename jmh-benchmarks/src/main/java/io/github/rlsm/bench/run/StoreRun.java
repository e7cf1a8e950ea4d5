// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of the measuring process. It runs one store through one workload, and saves the
 * results to a file after each phase. It exits when its standard input ends, so it never outlives
 * the process that started it.
 */
public final class StoreRun {

  private static final int EXIT_ABANDONED = 4;

  private final RunSpec spec;
  private final int repetition;
  private final Path directory;

  private StoreRun(RunSpec spec, int repetition, Path directory) {
    this.spec = spec;
    this.repetition = repetition;
    this.directory = directory;
  }

  /**
   * Runs the workload.
   *
   * @param arguments file with the {@link RunSpec}, number of the repetition, empty directory for
   *     the data, file for the {@link StoreResult}
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    endWithInput();
    RunSpec spec = Json.read(Path.of(arguments[0]), RunSpec.class);
    int repetition = Integer.parseInt(arguments[1]);
    new StoreRun(spec, repetition, Path.of(arguments[2])).run(Path.of(arguments[3]));
  }

  private void run(Path resultFile) throws IOException, InterruptedException {
    if (spec.plan().rehearse()) {
      Workload small = spec.workload().rehearsal();
      try (PhaseRunner runner = open(small, "rehearsal")) {
        for (Phase phase : phases(small)) {
          runner.run(phase);
        }
      }
      Directories.delete(directory.resolve("rehearsal"));
    }
    List<PhaseResult> results = new ArrayList<>();
    try (PhaseRunner runner = open(spec.workload(), "store")) {
      for (Phase phase : phases(spec.workload())) {
        PhaseResult result = runner.run(phase);
        results.add(result);
        System.out.println(line(result));
        Json.write(resultFile, result(results, Map.of(), "the process ended early"));
      }
      Json.write(resultFile, result(results, runner.statistics(), null));
    }
  }

  private StoreResult result(
      List<PhaseResult> phases, Map<String, String> statistics, @Nullable String failure) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new StoreResult(spec, repetition, cores, phases, statistics, failure);
  }

  private PhaseRunner open(Workload workload, String name) throws IOException {
    Path storeDirectory = Files.createDirectories(directory.resolve(name));
    StoreSettings settings = new StoreSettings(
        workload.keys(),
        workload.valueBytes(),
        spec.conditions().memoryBytes(),
        workload.sync(),
        PhasePlan.clientsMax(phases(workload)),
        spec.rlsmOptions());
    return new PhaseRunner(spec, settings, storeDirectory);
  }

  private List<Phase> phases(Workload workload) {
    return PhasePlan.of(workload, spec.conditions().clients(), spec.plan().readRounds()).stream()
        .filter(phase -> spec.plan().phases().isEmpty()
            || phase.kind().isAlwaysDone()
            || spec.plan().phases().contains(phase.name()))
        .toList();
  }

  private static String line(PhaseResult result) {
    return String.format(
        Locale.ROOT,
        "  %-20s %,12.0f ops/s %8.2f s %,15d bytes written%s%s",
        result.phase(),
        result.throughput(),
        result.work().seconds(),
        result.use().bytesWritten(),
        result.isCut() ? ", cut" : "",
        result.errors() > 0 ? ", ERRORS: " + result.errors() : "");
  }

  private static void endWithInput() {
    Thread watcher = new Thread(
        () -> {
          try {
            while (System.in.read() >= 0) {
              // No data is expected, only the end of the input.
            }
          } catch (IOException e) {
            System.err.println("could not read standard input: " + e.getMessage());
          }
          Runtime.getRuntime().halt(EXIT_ABANDONED);
        },
        "parent-watcher");
    watcher.setDaemon(true);
    watcher.start();
  }
}
