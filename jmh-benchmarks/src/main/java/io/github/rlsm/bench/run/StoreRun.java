// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.bench.gauge.QuietProcess;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of the measuring process. It runs one store through one workload, and saves the
 * results to a file after each phase. It exits when its standard input ends, so it never outlives
 * the process that started it.
 *
 * <p>Before the phase of kind {@code RECOVER} it kills itself. A second process with the same
 * arguments finds the results of the first, opens the store, and runs the phases that are left.
 */
public final class StoreRun {

  /** The failure in the result of a process that killed itself; another must continue. */
  public static final String KILLED = "killed before the recovery";

  private static final int EXIT_ABANDONED = 4;
  private static final long REHEARSAL_MEMORY_MIN = 16L << 20;

  private static final Duration QUIET_WAIT_MAX = Duration.ofSeconds(15);

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
   * @param arguments file with the {@link RunSpec}, number of the repetition, directory for the
   *     data, file for the {@link StoreResult}; directory and file are empty and missing in the
   *     first process
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    endWithInput();
    RunSpec spec = Json.read(Path.of(arguments[0]), RunSpec.class);
    int repetition = Integer.parseInt(arguments[1]);
    new StoreRun(spec, repetition, Path.of(arguments[2])).run(Path.of(arguments[3]));
  }

  private void run(Path resultFile) throws IOException, InterruptedException {
    List<PhaseResult> results = new ArrayList<>();
    if (Files.exists(resultFile)) {
      results.addAll(Json.read(resultFile, StoreResult.class).phases());
      openEmptyStore();
    } else if (spec.plan().rehearse()) {
      rehearse();
    }
    int done = results.size();
    Path data = Files.createDirectories(directory.resolve("store"));
    StoreSettings settings = settings(spec.workload());
    List<Phase> phases = phases(spec.workload());
    try (PhaseRunner runner = done == 0
        ? PhaseRunner.open(spec, settings, data)
        : PhaseRunner.afterKill(spec, settings, data, results)) {
      for (Phase phase : phases.subList(done, phases.size())) {
        if (phase.kind() == Phase.Kind.RECOVER && results.size() > done) {
          Json.write(resultFile, result(results, Map.of(), KILLED));
          killThisProcess();
        }
        PhaseResult result = runner.run(phase);
        results.add(result);
        System.out.println(line(result));
        Json.write(resultFile, result(results, Map.of(), "the process ended early"));
      }
      Json.write(resultFile, result(results, runner.statistics(), null));
    }
  }

  /**
   * Runs all phases on a small store, which warms up the just-in-time compiler. The memory of the
   * store is as small in relation. So the store flushes and merges as often as the measured one,
   * and the compiler sees scans over several runs. With the memory of the measured store, the first
   * seconds of the first scans were spent on compiling them again.
   *
   * <p>A second store is loaded with as much data as the measured one, or a little more than fits
   * in memory. A store that does not fit in memory runs other code, and a tenth of a second of
   * writes does not suffice for the compiler. It took 18 to 33 % of the processor time of measured
   * loads. If the data fits in memory, it is also overwritten.
   *
   * <p>Then it shrinks the Java heap. Gets and scans of little data fill the heap fast. The page
   * cache would lack the pages that the heap has touched.
   *
   * <p>At last it waits for the compiler. With two processors the compiler falls behind, and
   * compiled methods for gets and scans while the load was measured.
   */
  private void rehearse() throws IOException, InterruptedException {
    Workload small = spec.workload().rehearsal();
    double part = (double) small.keys() / spec.workload().keys();
    long memory = (long) (spec.conditions().memoryBytes() * part);
    StoreSettings settings = settings(small, Math.max(REHEARSAL_MEMORY_MIN, memory));
    rehearse(settings, PhasePlan.rehearsal(selected(counted(small))));
    Workload large = spec.workload().writeRehearsal(spec.conditions().memoryBytes());
    StoreSettings full = settings(large);
    rehearse(
        full, PhasePlan.writeRehearsal(large, spec.conditions().clients(), full.fitsInMemory()));
    System.gc();
    QuietProcess.await(QUIET_WAIT_MAX);
  }

  private void rehearse(StoreSettings settings, List<Phase> phases)
      throws IOException, InterruptedException {
    Path data = Files.createDirectories(directory.resolve("rehearsal"));
    try (PhaseRunner runner = PhaseRunner.open(spec, settings, data)) {
      for (Phase phase : phases) {
        runner.run(phase);
      }
    }
    Directories.delete(data);
  }

  /** Loads the classes and libraries that an opening needs, so that a recovery excludes that. */
  private void openEmptyStore() throws IOException {
    Path data = Files.createDirectories(directory.resolve("empty"));
    PhaseRunner.open(spec, settings(spec.workload().rehearsal()), data).close();
    Directories.delete(data);
  }

  /** Ends this process in the way of {@code kill -9}: nothing is flushed, no hook runs. */
  private static void killThisProcess() throws IOException, InterruptedException {
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
    throw new IllegalStateException("this process survived its kill");
  }

  private StoreResult result(
      List<PhaseResult> phases, Map<String, String> statistics, @Nullable String failure) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new StoreResult(spec, repetition, cores, phases, statistics, failure);
  }

  private StoreSettings settings(Workload workload) {
    return settings(workload, spec.conditions().memoryBytes());
  }

  private StoreSettings settings(Workload workload, long memoryBytes) {
    return new StoreSettings(
        workload.keys(),
        workload.valueBytes(),
        memoryBytes,
        workload.sync(),
        PhasePlan.clientsMax(phases(workload)),
        spec.rlsmOptions());
  }

  private List<Phase> phases(Workload workload) {
    RunSpec.Conditions conditions = spec.conditions();
    boolean fits = StoreSettings.fitsInMemory(workload.dataBytes(), conditions.memoryBytes());
    return selected(
        switch (spec.plan().schedule()) {
          case COUNTED -> counted(workload);
          case MATRIX ->
            MatrixPhases.of(workload, conditions.clients(), fits, conditions.phaseSecondsMax());
        });
  }

  private List<Phase> counted(Workload workload) {
    return PhasePlan.of(
        workload,
        spec.conditions().clients(),
        spec.plan().readRounds(),
        Math.max(1, spec.conditions().phaseSecondsMax()));
  }

  private List<Phase> selected(List<Phase> phases) {
    return phases.stream()
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
        result.use().io().bytesWritten(),
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
