// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.matrix.Disturbance;
import io.github.rlsm.bench.matrix.Estimate;
import io.github.rlsm.bench.matrix.HeatMap;
import io.github.rlsm.bench.matrix.MatrixCase;
import io.github.rlsm.bench.matrix.MatrixPlan;
import io.github.rlsm.bench.matrix.MatrixReport;
import io.github.rlsm.bench.matrix.MatrixSettings;
import io.github.rlsm.bench.matrix.MatrixTable;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the cases of the matrix that are not recorded, and writes the report after each.
 *
 * <p>Threads: one thread at a time.
 */
final class MatrixBenchmark {

  private static final int REPETITION = 1;

  private final MatrixSettings settings;
  private final Places places;
  private final Labels labels;
  private final Duration limit;
  private final MemoryLimit memoryLimit;
  private final boolean again;

  /**
   * The directories.
   *
   * @param output for the report; the results of cases are in {@code cases} below it
   * @param data for the stores' files
   */
  record Places(Path output, Path data) {

    Path record(MatrixCase one) {
      return output.resolve("cases").resolve(one.name() + ".json");
    }
  }

  /**
   * Texts for the report.
   *
   * @param engine the commit of the engine
   * @param commit the commit of the whole project
   * @param command the command line
   */
  record Labels(String engine, String commit, String command) {}

  /**
   * Creates a measurement.
   *
   * @param limit no case is begun that would probably end later
   * @param again whether to measure disturbed cases again
   */
  MatrixBenchmark(
      MatrixSettings settings,
      Places places,
      Labels labels,
      Duration limit,
      boolean noLimit,
      boolean again) {
    this.settings = settings;
    this.places = places;
    this.labels = labels;
    this.limit = limit;
    this.memoryLimit = MemoryLimit.find(noLimit, settings.memoryBytes());
    this.again = again;
  }

  /**
   * Measures the cases, and writes the report of all recorded cases of the matrix.
   *
   * @param all all cases that the report shows
   * @param wanted the cases to measure, in order
   * @return number of cases measured now
   */
  int run(List<MatrixCase> all, List<MatrixCase> wanted) throws IOException, InterruptedException {
    Files.createDirectories(places.output().resolve("cases"));
    Files.createDirectories(places.data());
    Map<String, BenchResult> recorded = recorded(wanted);
    List<MatrixCase> remaining = new ArrayList<>(MatrixPlan.remaining(wanted, settings, recorded));
    System.out.printf(
        Locale.ROOT,
        "%d of %d cases are recorded in %s%n",
        wanted.size() - remaining.size(),
        wanted.size(),
        places.output());
    List<MatrixCase> disturbed =
        again ? MatrixPlan.disturbed(wanted, settings, recorded) : List.of();
    remaining.addAll(disturbed);
    writeReport(all);
    Instant begin = Instant.now();
    Duration finished = Duration.ZERO;
    for (int i = 0; i < remaining.size(); i++) {
      MatrixCase next = remaining.get(i);
      Duration spent = Duration.between(begin, Instant.now());
      Duration rest = Estimate.of(remaining.subList(i, remaining.size()), settings);
      Duration expected = Estimate.of(next, settings);
      if (MatrixPlan.stopsBefore(spent, Estimate.corrected(expected, finished, spent), limit)) {
        System.out.printf(Locale.ROOT, "time is up, %d cases are left%n", remaining.size() - i);
        return i;
      }
      System.out.println(Estimate.progress(
          wanted.size() - remaining.size() + i + 1,
          wanted.size(),
          next,
          Instant.now(),
          Estimate.corrected(rest, finished, spent)));
      BenchResult measured = measure(next);
      BenchResult before = disturbed.contains(next) ? recorded.get(next.name()) : null;
      Json.write(
          places.record(next), before == null ? measured : Disturbance.less(before, measured));
      writeReport(all);
      finished = finished.plus(expected);
    }
    return remaining.size();
  }

  private BenchResult measure(MatrixCase one) throws IOException, InterruptedException {
    String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    ChildProcess child =
        new ChildProcess(places.output(), places.data(), List.of(), memoryLimit.enforced());
    List<StoreResult> runs = new ArrayList<>();
    for (RunSpec spec : one.specs(settings)) {
      System.out.println(spec.store().title());
      StoreResult run = child.run(spec, REPETITION);
      if (run.failure() != null) {
        System.out.println("  failed: " + run.failure());
      }
      runs.add(run.withoutStatistics());
    }
    return new BenchResult(
        date,
        labels.commit(),
        labels.command(),
        Machine.describe(places.data()),
        memoryLimit.description(),
        runs);
  }

  private Map<String, BenchResult> recorded(List<MatrixCase> cases) {
    Map<String, BenchResult> recorded = new LinkedHashMap<>();
    for (MatrixCase one : cases) {
      Path file = places.record(one);
      if (Files.exists(file)) {
        recorded.put(one.name(), Json.read(file, BenchResult.class));
      }
    }
    return recorded;
  }

  private void writeReport(List<MatrixCase> all) throws IOException {
    Map<String, BenchResult> recorded = recorded(all);
    if (recorded.isEmpty()) {
      return;
    }
    MatrixTable table = MatrixTable.of(all, recorded);
    Files.writeString(
        places.output().resolve("report.md"),
        MatrixReport.of(labels.engine(), all.size(), recorded.values(), table));
    Files.writeString(places.output().resolve(MatrixReport.HEAT_MAP), HeatMap.of(table));
  }
}
