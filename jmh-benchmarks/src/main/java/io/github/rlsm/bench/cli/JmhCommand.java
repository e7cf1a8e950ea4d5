// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code ./bench jmh}. */
@Command(
    name = "jmh",
    description = "Runs microbenchmarks.",
    footer = "JMH options follow the names, for example: ./bench jmh Crc32c -f 1 -prof gc")
final class JmhCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "REGEX",
      description = "names of benchmarks, and JMH options; -l lists the names (default: all)")
  private List<String> arguments = new ArrayList<>();

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory();
    JmhBenchmarks.run(arguments, directory);
    Report.write(directory);
    return 0;
  }
}
