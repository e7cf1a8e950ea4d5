// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs microbenchmarks. */
final class JmhBenchmarks {

  /** One fork, few short iterations and one size: shows factors, not percents. */
  static final List<String> QUICK = List.of(("-f 1 -wi 1 -w 1 -i 3 -r 1"
          + " -p valueBytes=1000 -p insertsOfEach=1 -p drainBatch=16384 -p pageBytes=4096")
      .split(" ", -1));

  private JmhBenchmarks() {}

  /**
   * Runs JMH.
   *
   * @param arguments arguments in the format of JMH's command line
   */
  static void run(List<String> arguments, Path output)
      throws CommandLineOptionException, RunnerException {
    Options options = new OptionsBuilder()
        .parent(new CommandLineOptions(arguments.toArray(String[]::new)))
        .resultFormat(ResultFormatType.JSON)
        .result(output.resolve(Report.JMH).toString())
        .build();
    new Runner(options).run();
  }
}
