// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code ./bench report}. */
@Command(
    name = "report",
    description = "Writes the report of an earlier run again, from its raw results.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "directory with the raw results")
  private Path directory = Path.of(".");

  @Override
  public Integer call() throws Exception {
    Report.write(directory);
    return 0;
  }
}
