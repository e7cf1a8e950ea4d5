// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which stores are measured, at what, and how: the options that the commands share. */
final class StoreOptions {

  @Option(
      names = "--workload",
      paramLabel = "NAMES",
      description = "small, 1k, 16k, sync; comma-separated (default: ${DEFAULT-VALUE})")
  String workloads = "small";

  @Option(
      names = "--scale",
      paramLabel = "FACTORS",
      split = ",",
      description =
          "part of each workload's data; several, comma-separated, for a curve over its size"
              + " (default: 1)")
  List<Double> scales = List.of(1.0);

  @Option(
      names = "--stores",
      paramLabel = "NAMES",
      description = "which, comma-separated (default: ${DEFAULT-VALUE})")
  String stores = "rlsm,rocksdb,blobdb,lmdb,mvstore";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "client threads (default: ${DEFAULT-VALUE})")
  int threads = 2;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "runs of each store; reports show medians (default: ${DEFAULT-VALUE})")
  int repeat = 1;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description =
          "memory for each process, page cache included, in MiB; caches, write buffers and heap are"
              + " parts of it (default: ${DEFAULT-VALUE})")
  long memoryMebibytes = 2048;

  @Option(
      names = "--no-limit",
      description = "do not enforce --memory on the page cache by a memory control group")
  boolean noLimit;

  @Option(
      names = "--phase-seconds",
      paramLabel = "N",
      description = "cut any phase that takes longer (default: ${DEFAULT-VALUE})")
  int phaseSeconds = 180;

  @Option(
      names = "--phases",
      paramLabel = "NAMES",
      description = "only the load and these phases; comma-separated names as in the tables")
  String phases = "";

  @Option(
      names = "--read-rounds",
      paramLabel = "N",
      description =
          "gets as many as N times the keys, and as many times the scans: for data in memory"
              + " (default: ${DEFAULT-VALUE})")
  int readRounds = 1;

  @Option(
      names = "--no-rehearsal",
      description = "do not run each workload on little data first to warm up the JVM")
  boolean noRehearsal;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "what keys and order follow from (default: ${DEFAULT-VALUE})")
  long seed = 1;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the stores' files (default: ${DEFAULT-VALUE})")
  Path data = Path.of("jmh-benchmarks", "target", "bench-data");

  @Option(
      names = "--rlsm",
      paramLabel = "NAME=VALUE",
      description = "an option of the RLSM store; may be repeated")
  Map<String, String> rlsmOptions = new LinkedHashMap<>();

  @Option(
      names = "--jvm-arg",
      paramLabel = "ARG",
      description = "an argument for each store's JVM, such as a profiler; may be repeated")
  List<String> jvmArguments = new ArrayList<>();

  /**
   * What to measure, in the order in which it is to be done: repetitions are spread out in time.
   */
  List<RunSpec> specs() {
    List<RunSpec> specs = new ArrayList<>();
    for (Workload workload : Workload.parse(workloads)) {
      for (double scale : scales) {
        for (StoreKind store : StoreKind.parse(stores)) {
          specs.add(spec(workload.scaled(scale), store));
        }
      }
    }
    return specs;
  }

  private RunSpec spec(Workload workload, StoreKind store) {
    return new RunSpec(
        store,
        workload,
        threads,
        memoryMebibytes << 20,
        seed,
        phaseSeconds,
        phaseNames(),
        readRounds,
        !noRehearsal,
        rlsmOptions);
  }

  private List<String> phaseNames() {
    return phases.isEmpty() ? List.of() : List.of(phases.split("\\s*,\\s*"));
  }
}
