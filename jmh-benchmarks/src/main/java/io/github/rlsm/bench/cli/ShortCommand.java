// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench short}. */
@Command(
    name = "short",
    description = "Takes minutes: runs all stores on little data, and every microbenchmark.",
    mixinStandardHelpOptions = true)
final class ShortCommand implements Callable<Integer> {

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      description = "fraction of the workload \"small\" (default: ${DEFAULT-VALUE})")
  private double scale = 0.05;

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory();
    StoreOptions options = new StoreOptions();
    options.scales = List.of(scale);
    new StoresBenchmark(options, directory, output.command()).run();
    JmhBenchmarks.run(JmhBenchmarks.QUICK, directory);
    Report.write(directory);
    return 0;
  }
}
