// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program behind {@code ./bench}. */
@Command(
    name = "bench",
    description = "Measures this store and other stores.",
    footer = {
      "",
      "Two commands are programs of their own:",
      "  hbase     Compares store engines inside HBase: ./bench hbase --help",
      "  ycsb      Runs YCSB over this store and RocksDB: ./bench ycsb --help",
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      ShortCommand.class,
      FullCommand.class,
      StoresCommand.class,
      MatrixCommand.class,
      ReportCommand.class,
      SimulateCommand.class,
      ShardsCommand.class,
    })
public final class BenchMain {

  private BenchMain() {}

  /** Runs the command that the arguments name, then exits. */
  public static void main(String[] arguments) {
    CommandLine jmh = new CommandLine(new JmhCommand());
    // Options of JMH pass through.
    jmh.setUnmatchedOptionsArePositionalParams(true);
    System.exit(new CommandLine(new BenchMain()).addSubcommand(jmh).execute(arguments));
  }
}
