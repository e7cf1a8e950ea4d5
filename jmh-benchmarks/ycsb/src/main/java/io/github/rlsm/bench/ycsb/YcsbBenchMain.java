// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rlsm.bench.cli.MemoryLimit;
import io.github.rlsm.bench.cli.OutputOption;
import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.gauge.MemoryCgroup;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.bench.run.StoreJvm;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.ycsb.YcsbResult.Conditions;
import io.github.rlsm.bench.ycsb.YcsbResult.Run;
import io.github.rlsm.ycsb.YcsbLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code ./bench ycsb}. */
@Command(
    name = "ycsb",
    description = {
      "Runs YCSB's core workloads over this store and RocksDB, through the same client.",
      "Run it again with the same --out to continue: finished runs are not repeated."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class YcsbBenchMain implements Callable<Integer> {

  private static final String RAW = "ycsb.json";
  private static final int RECORD_BYTES = 1_000;

  @Option(
      names = "--stores",
      split = ",",
      paramLabel = "NAMES",
      description = "stores, comma-separated (default: rlsm, rocksdb)")
  private List<String> stores = List.of("rlsm", RocksStoreOpener.NAME);

  @Option(
      names = "--scales",
      split = ",",
      paramLabel = "FACTORS",
      description =
          "values in the store, relative to the memory; comma-separated (default: 0.5, 4)")
  private List<Double> scales = List.of(0.5, 4.0);

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description =
          "memory for each process in MiB, page cache included (default:" + " ${DEFAULT-VALUE})")
  private long memoryMebibytes = 512;

  @Option(
      names = "--no-limit",
      description = "do not enforce --memory on the page cache with a memory control group")
  private boolean noLimit;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "operations of each workload (default: ${DEFAULT-VALUE})")
  private int operations = 300_000;

  @Option(
      names = "--scan-operations",
      paramLabel = "N",
      description = "operations of workload e (default: ${DEFAULT-VALUE})")
  private int scanOperations = 60_000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "client threads (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--workloads",
      paramLabel = "a,b,...",
      description = "YCSB's core workloads to run (default: ${DEFAULT-VALUE})")
  private String workloads = "a,b,c,d,e,f";

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description =
          "runs of each store, by turns; the report shows medians" + " (default: ${DEFAULT-VALUE})")
  private int repeat = 1;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the stores' files (default: ${DEFAULT-VALUE})")
  private Path data = Path.of("jmh-benchmarks", "ycsb", "target", "bench-data");

  @Mixin
  private OutputOption output = new OutputOption();

  /** Runs the command and exits. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new YcsbBenchMain()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = output.directory();
    Path raw = directory.resolve(RAW);
    Files.createDirectories(data);
    MemoryLimit limit = MemoryLimit.find(noLimit, memoryMebibytes << 20);
    YcsbResult fresh = empty(limit);
    YcsbResult result = Files.exists(raw) ? continued(raw, fresh) : fresh;
    for (double scale : scales) {
      for (int round = 1; round <= repeat; round++) {
        for (String store : stores) {
          if (!result.has(store, scale, round)) {
            System.out.printf(Locale.ROOT, "%s, %s × the memory, run %d%n", store, scale, round);
            JsonNode report = run(store, scale, limit.enforced());
            result = result.with(new Run(store, scale, round, report));
            Json.write(raw, result);
          }
        }
      }
    }
    OutputOption.publish(directory, YcsbReport.of(result));
    return 0;
  }

  private YcsbResult continued(Path raw, YcsbResult now) {
    YcsbResult before = Json.read(raw, YcsbResult.class);
    output.checkContinues(raw, before.difference(now));
    return now.continuing(before);
  }

  private YcsbResult empty(MemoryLimit limit) {
    return new YcsbResult(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        System.getProperty("bench.commit", "unknown"),
        output.commandOf("ycsb"),
        Machine.describe(data),
        new Conditions(
            memoryMebibytes << 20,
            limit.description(),
            workloads,
            operations,
            scanOperations,
            threads),
        List.of());
  }

  /** Runs the workloads in another process. Returns its report. */
  private JsonNode run(String store, double scale, boolean limited)
      throws IOException, InterruptedException {
    Path scratch = data.resolve(store);
    Directories.delete(scratch);
    Files.createDirectories(scratch);
    Path report = scratch.resolve("report.json");
    List<String> command = new ArrayList<>(StoreJvm.command(memoryMebibytes << 20, List.of()));
    command.addAll(arguments(store, scale, scratch.resolve("store"), report));
    if (limited) {
      command = MemoryCgroup.create("ycsb-" + store, memoryMebibytes << 20).enter(command);
    }
    int exitCode = StoreJvm.process(command).inheritIO().start().waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "the run over " + store + " ended with exit code " + exitCode + "; its output is above");
    }
    JsonNode read = Json.read(report, JsonNode.class);
    Directories.delete(scratch);
    return read;
  }

  private List<String> arguments(String store, double scale, Path directory, Path report) {
    long records = Math.round(scale * (memoryMebibytes << 20) / RECORD_BYTES);
    List<String> arguments = new ArrayList<>(List.of(
        YcsbLauncher.class.getName(),
        "--store",
        store,
        "--dir",
        directory.toString(),
        "--json",
        report.toString(),
        "--records",
        Long.toString(records),
        "--operations",
        Integer.toString(operations),
        "--scan-operations",
        Integer.toString(scanOperations),
        "--threads",
        Integer.toString(threads),
        "--workloads",
        workloads,
        "--options"));
    options(store, records).forEach((name, value) -> arguments.add(name + "=" + value));
    return arguments;
  }

  /** The memory of a store, as in {@code ./bench stores}; everything else is its default. */
  private Map<String, Long> options(String store, long records) {
    StoreSettings shares =
        new StoreSettings(records, RECORD_BYTES, memoryMebibytes << 20, false, threads, Map.of());
    return store.equals(RocksStoreOpener.NAME)
        ? Map.of(
            RocksStoreOpener.CACHE_BYTES, shares.cacheBytes(),
            RocksStoreOpener.WRITE_BUFFER_BYTES, shares.writeBufferBytes())
        : Map.of("memoryBudget", shares.budgetBytes());
  }
}
