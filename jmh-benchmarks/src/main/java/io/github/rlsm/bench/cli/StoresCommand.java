// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code ./bench stores}. */
@Command(
    name = "stores",
    description = "Runs whole stores through workloads, one process per run.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class StoresCommand implements Callable<Integer> {

  @Mixin
  private StoreOptions options = new StoreOptions();

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    Path directory = output.directory();
    new StoresBenchmark(options, directory, output.command()).run();
    Report.write(directory);
    return 0;
  }
}
