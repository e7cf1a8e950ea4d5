// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options for stores, workloads and limits that several commands share. */
final class StoreOptions {

  @Option(
      names = "--workload",
      paramLabel = "NAMES",
      description = "of small, 1k, 16k, sync; comma-separated (default: ${DEFAULT-VALUE})")
  String workloads = "small";

  @Option(
      names = "--scale",
      paramLabel = "FACTORS",
      split = ",",
      description =
          "fraction of each workload's data; several, comma-separated, give a curve over size"
              + " (default: 1)")
  List<Double> scales = List.of(1.0);

  @Option(
      names = "--keys",
      paramLabel = "ORDER",
      description = "order in which keys are loaded: ${COMPLETION-CANDIDATES} (default:"
          + " ${DEFAULT-VALUE})")
  KeyOrder keyOrder = KeyOrder.RANDOM;

  @Option(
      names = "--stores",
      paramLabel = "NAMES",
      description = "stores, comma-separated (default: ${DEFAULT-VALUE})")
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
          "memory for each process in MiB, including page cache, caches, write buffers and heap"
              + " (default: ${DEFAULT-VALUE})")
  long memoryMebibytes = 2048;

  @Option(
      names = "--no-limit",
      description = "do not enforce --memory on the page cache with a memory control group")
  boolean noLimit;

  @Option(
      names = "--phase-seconds",
      paramLabel = "N",
      description = "stop any phase that takes longer, in seconds (default: ${DEFAULT-VALUE})")
  int phaseSeconds = 180;

  @Option(
      names = "--phases",
      paramLabel = "NAMES",
      description = "run only the load and these phases; comma-separated names as in the tables")
  String phases = "";

  @Option(
      names = "--read-rounds",
      paramLabel = "N",
      description = "multiply gets and scans by N, for data in memory, where one round is too short"
          + " (default: ${DEFAULT-VALUE})")
  int readRounds = 1;

  @Option(
      names = "--no-rehearsal",
      description = "skip the warm-up run of each workload on little data")
  boolean noRehearsal;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed for keys and their order (default: ${DEFAULT-VALUE})")
  long seed = 1;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "directory for the stores' files (default: ${DEFAULT-VALUE})")
  Path data = Path.of("jmh-benchmarks", "target", "bench-data");

  @Option(
      names = "--rlsm",
      paramLabel = "NAME=VALUE",
      description = "option of the RLSM store; may be repeated")
  Map<String, String> rlsmOptions = new LinkedHashMap<>();

  @Option(
      names = "--jvm-arg",
      paramLabel = "ARG",
      description = "argument for each store's JVM, such as a profiler; may be repeated")
  List<String> jvmArguments = new ArrayList<>();

  /** The runs to measure, in order. Repetitions of a run are spread out in time. */
  List<RunSpec> specs() {
    List<RunSpec> specs = new ArrayList<>();
    for (Workload workload : Workload.parse(workloads)) {
      for (double scale : scales) {
        for (StoreKind store : StoreKind.parse(stores)) {
          specs.add(spec(workload.scaled(scale).ordered(keyOrder), store));
        }
      }
    }
    return specs;
  }

  private RunSpec spec(Workload workload, StoreKind store) {
    return new RunSpec(
        store,
        workload,
        new RunSpec.Conditions(threads, memoryMebibytes << 20, seed, phaseSeconds),
        new RunSpec.Plan(phaseNames(), readRounds, !noRehearsal, RunSpec.Schedule.COUNTED),
        rlsmOptions);
  }

  private List<String> phaseNames() {
    return phases.isEmpty() ? List.of() : List.of(phases.split("\\s*,\\s*"));
  }
}
