// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.cli.OutputOption;
import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.run.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.VersionInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code ./bench hbase}. */
@Command(
    name = "hbase",
    description = "Compares the store engine with HBase's own, each in a standalone HBase.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class HBaseBenchMain implements Callable<Integer> {

  private static final String RAW = "hbase.json";

  @Option(
      names = "--engines",
      paramLabel = "NAMES",
      description = "comma-separated engines: default, stripe, rlsm, rlsm-separated"
          + " (default: ${DEFAULT-VALUE})")
  private String engines = "default,stripe,rlsm";

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows to load, then overwrite (default: ${DEFAULT-VALUE})")
  private long rows = 150_000;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      description = "bytes of a row's value (default: ${DEFAULT-VALUE})")
  private int valueBytes = 1_000;

  @Option(
      names = "--gets",
      paramLabel = "N",
      description = "lookups, in each of two rounds (default: ${DEFAULT-VALUE})")
  private long gets = 50_000;

  @Option(
      names = "--scans",
      paramLabel = "N",
      description = "scans of 100 rows, in each of two rounds (default: ${DEFAULT-VALUE})")
  private long scans = 5_000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "client threads (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--flush",
      paramLabel = "MIB",
      description = "size at which a memstore is flushed (default: ${DEFAULT-VALUE})")
  private long flushMebibytes = 4;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description = "heap of each server (default: ${DEFAULT-VALUE})")
  private long heapMebibytes = 1_024;

  @Option(
      names = "--fixed-heap",
      description = "give each server its whole heap from the start (-Xms)")
  private boolean isHeapFixed;

  @Option(
      names = "--hdfs",
      description = "keep the servers' files in an HDFS with three data nodes on this machine")
  private boolean isOnHdfs;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "runs of each engine, by turns; the report shows medians"
          + " (default: ${DEFAULT-VALUE})")
  private int repeat = 1;

  @Option(
      names = "--rlsm",
      paramLabel = "NAME=VALUE",
      description = "an option of the RLSM engine's tables; may be repeated")
  private Map<String, String> rlsmOptions = new LinkedHashMap<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the servers' files (default: ${DEFAULT-VALUE})")
  private Path data = Path.of("jmh-benchmarks", "hbase", "target", "bench-data");

  @Mixin
  private OutputOption output = new OutputOption();

  /** Runs the command and exits. */
  public static void main(String[] arguments) {
    CommandLine root = new CommandLine(new HBaseBenchMain());
    System.exit(root.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory();
    Path raw = directory.resolve(RAW);
    Files.createDirectories(data);
    // Runs that the directory has are not repeated, so a measurement can be continued.
    HBaseResult result = Files.exists(raw) ? continued(raw) : empty();
    for (int round = 1; round <= repeat; round++) {
      for (EngineKind engine : EngineKind.parse(engines)) {
        if (result.runs(engine).size() < round) {
          result = result.with(run(engine, round));
          Json.write(raw, result);
        } else {
          System.out.println(engine.title() + ", run " + round + " is in " + raw
              + " already; delete the file to measure again");
        }
      }
    }
    OutputOption.publish(directory, HBaseReport.of(result));
    return 0;
  }

  private HBaseResult continued(Path raw) {
    HBaseResult before = Json.read(raw, HBaseResult.class);
    output.checkContinues(raw, before.difference(empty().commit(), this::spec));
    return before;
  }

  private EngineResult run(EngineKind engine, int round) throws Exception {
    System.out.println(engine.title() + (repeat > 1 ? ", run " + round : ""));
    Path folder = data.resolve(engine.title());
    Directories.delete(folder);
    try {
      return new EngineRun(spec(engine), folder).run();
    } finally {
      Directories.delete(folder);
    }
  }

  private HBaseResult empty() {
    return new HBaseResult(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        System.getProperty("bench.commit", "unknown"),
        output.commandOf("hbase"),
        VersionInfo.getVersion(),
        Machine.describe(data),
        List.of());
  }

  private HBaseSpec spec(EngineKind engine) {
    return new HBaseSpec(
        engine,
        new HBaseSpec.Load(rows, valueBytes, gets, scans, threads),
        new HBaseSpec.Server(flushMebibytes << 20, heapMebibytes, isHeapFixed, isOnHdfs),
        engine.isOurs() ? rlsmOptions : Map.of());
  }
}
