// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench full}. */
@Command(
    name = "full",
    description = "Takes hours: runs all workloads at full size, and every microbenchmark.",
    mixinStandardHelpOptions = true)
final class FullCommand implements Callable<Integer> {

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "runs of each store; reports show medians (default: ${DEFAULT-VALUE})")
  private int repeat = 1;

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory(Path.of("docs", "benchmarks"));
    StoreOptions options = new StoreOptions();
    options.workloads = "small,1k,16k,sync";
    options.repeat = repeat;
    new StoresBenchmark(options, directory, output.command()).run();
    JmhBenchmarks.run(List.of(), directory);
    Report.write(directory);
    return 0;
  }
}
