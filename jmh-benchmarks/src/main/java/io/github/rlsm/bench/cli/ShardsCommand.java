// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.report.ShardsReport;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.ShardsResult;
import io.github.rlsm.bench.result.ShardsSpec;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.bench.shards.Contender;
import io.github.rlsm.bench.shards.ShardsRun;
import io.github.rlsm.bench.shards.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench shards}. */
@Command(
    name = "shards",
    description = "Compares RocksDB and this store, alone and with shards, in separate processes.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ShardsCommand implements Callable<Integer> {

  @Option(
      names = "--stores",
      split = ",",
      paramLabel = "NAMES",
      description =
          "rocksdb, rocksdb-shards, rlsm, rlsm-shards, rlsm-pinned, rlsm-redo, rlsm-merged,"
              + " rlsm-gathered (default: the first four)")
  private List<String> stores = List.of("rocksdb", "rocksdb-shards", "rlsm", "rlsm-shards");

  @Option(names = "--shards", description = "number of shards (default: ${DEFAULT-VALUE})")
  private int shards = 2;

  @Option(names = "--keys", description = "number of entries to load (default: ${DEFAULT-VALUE})")
  private int keys = 200_000;

  @Option(
      names = "--value-bytes",
      split = ",",
      description = "value sizes in bytes, measured one after the other (default: 128, 1024)")
  private List<Integer> valueBytes = List.of(128, 1024);

  @Option(
      names = "--works",
      split = ",",
      paramLabel = "NAMES",
      description = "work of ${COMPLETION-CANDIDATES} (default: GET, SCAN, PUT, MIXED, BATCH)")
  private List<Work> works = Work.USUAL;

  @Option(names = "--threads", split = ",", description = "client threads (default: 1, 2, 8, 32)")
  private List<Integer> threads = List.of(1, 2, 8, 32);

  @Option(names = "--millis", description = "phase duration (default: ${DEFAULT-VALUE})")
  private int millis = 1_000;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the stores' files (default: ${DEFAULT-VALUE})")
  private Path data = Path.of("jmh-benchmarks", "target", "bench-data");

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory();
    Files.createDirectories(data);
    List<ShardsResult> results = new ArrayList<>();
    for (int bytes : valueBytes) {
      for (String name : stores) {
        results.add(measure(new ShardsSpec(
            named(name), shards, new ShardsSpec.Data(keys, bytes), works, threads, millis)));
      }
    }
    ShardsResult.All all = new ShardsResult.All(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        System.getProperty("bench.commit", "unknown"),
        output.command(),
        Machine.describe(data),
        results);
    Json.write(directory.resolve("shards.json"), all);
    Files.writeString(directory.resolve("report.md"), ShardsReport.of(all));
    System.out.println(directory);
    return 0;
  }

  private static Contender named(String option) {
    return Stream.of(Contender.values())
        .filter(contender -> contender.option().equals(option))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no store \"" + option + "\""));
  }

  private ShardsResult measure(ShardsSpec spec) throws IOException, InterruptedException {
    String name = spec.contender().option() + "-" + spec.data().valueBytes();
    Path scratch = data.resolve("shards-" + name);
    Directories.delete(scratch);
    Path storeData = Files.createDirectories(scratch.resolve("data"));
    Path specFile = scratch.resolve("spec.json");
    Path resultFile = scratch.resolve("result.json");
    Json.write(specFile, spec);
    int exitCode = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseG1GC",
            "-cp",
            System.getProperty("java.class.path"),
            ShardsRun.class.getName(),
            specFile.toString(),
            storeData.toString(),
            resultFile.toString())
        .inheritIO()
        .start()
        .waitFor();
    if (exitCode != 0) {
      throw new IOException(
          String.format(Locale.ROOT, "%s ended with exit code %d", name, exitCode));
    }
    ShardsResult result = Json.read(resultFile, ShardsResult.class);
    Directories.delete(scratch);
    return result;
  }
}
