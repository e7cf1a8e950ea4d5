// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.matrix.MatrixCase;
import io.github.rlsm.bench.matrix.MatrixPlan;
import io.github.rlsm.bench.matrix.MatrixSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench matrix}. */
@Command(
    name = "matrix",
    description = {
      "Compares this store with RocksDB, BlobDB and LMDB over value sizes, amounts of data, orders",
      "of keys and numbers of clients. Takes up to 6 hours on two cores. Run it again to continue:",
      "recorded cases are not measured again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class MatrixCommand implements Callable<Integer> {

  @Option(names = "--sample", description = "measure four cases only, in a quarter of an hour")
  private boolean sample;

  @Option(
      names = "--cases",
      paramLabel = "NAMES",
      split = ",",
      description = "measure these cases only; comma-separated names, such as"
          + " 1000b-1.5x-random-2t: value size, data relative to memory, order of keys, threads")
  private List<String> cases = List.of();

  @Option(
      names = "--again",
      description = "after the cases that are not recorded, measure those again in which other"
          + " programs or the host had more than a tenth of the processors in a phase of gets or"
          + " scans; the result that was disturbed less is kept")
  private boolean again;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "begin no case that would probably end after N minutes; 0 only writes the"
          + " report (default: no limit)")
  private long minutes = Duration.ofDays(365).toMinutes();

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "memory for each process in MiB, as in ./bench stores; amounts of data follow"
          + " (default: ${DEFAULT-VALUE})")
  private long memoryMebibytes = MatrixSettings.DEFAULT.memoryBytes() >> 20;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "duration of each read phase and of the 50/50 phase (default:" + " ${DEFAULT-VALUE})")
  private int seconds = MatrixSettings.DEFAULT.seconds();

  @Option(
      names = "--no-limit",
      description = "do not enforce --memory on the page cache with a memory control group")
  private boolean noLimit;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the stores' files (default: ${DEFAULT-VALUE})")
  private Path data = Path.of("jmh-benchmarks", "target", "bench-data");

  @Option(
      names = "--rlsm",
      paramLabel = "NAME=VALUE",
      description = "option of the RLSM store; may be repeated")
  private Map<String, String> rlsmOptions = new LinkedHashMap<>();

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    String engine = System.getProperty("bench.engine", "unknown");
    Path directory = output.directoryOr(Path.of("docs", "benchmarks", "matrix").resolve(engine));
    MatrixSettings settings = new MatrixSettings(
        memoryMebibytes << 20,
        MatrixSettings.DEFAULT.scale(),
        seconds,
        MatrixSettings.DEFAULT.rehearse(),
        rlsmOptions);
    MatrixBenchmark benchmark = new MatrixBenchmark(
        settings,
        new MatrixBenchmark.Places(directory, data),
        new MatrixBenchmark.Labels(
            engine, System.getProperty("bench.commit", "unknown"), output.command()),
        Duration.ofMinutes(minutes),
        noLimit,
        again);
    benchmark.run(MatrixPlan.all(), chosen());
    System.out.println("Results: " + directory.resolve("report.md"));
    return 0;
  }

  private List<MatrixCase> chosen() {
    if (cases.isEmpty()) {
      return sample ? MatrixPlan.sample() : MatrixPlan.all();
    }
    return MatrixPlan.named(cases);
  }
}
