// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.PhasePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresBenchmarkTest {

  @TempDir
  Path directory;

  private StoreOptions options(String stores) {
    StoreOptions options = new StoreOptions();
    options.scales = List.of(0.0);
    options.stores = stores;
    options.memoryMebibytes = 512;
    options.noRehearsal = true;
    options.data = directory.resolve("data");
    return options;
  }

  @Test
  void runsEachStoreInChildProcessAndKillsIt() throws IOException, InterruptedException {
    BenchResult result =
        new StoresBenchmark(options("rlsm,rocksdb,lmdb"), directory, "./bench test").run();
    Path report = Report.write(directory);
    assertThat(result.runs()).hasSize(3).extracting(StoreResult::failure).containsOnlyNulls();
    for (StoreResult run : result.runs()) {
      assertThat(run.phase(PhasePlan.CHECK)).isPresent();
      assertThat(run.phase(PhasePlan.RECOVERY)).isPresent();
      assertThat(run.phase(PhasePlan.CHECK_AFTER_KILL))
          .hasValueSatisfying(check -> assertThat(check.checks().entries()).isBetween(400L, 600L));
      assertThat(run.phases()).allMatch(phase -> phase.errors() == 0);
      assertThat(run.statistics()).isNotEmpty();
    }
    assertThat(report).content().contains("| LMDB |").contains("![small.png](small.png)");
    try (Stream<Path> left = Files.list(directory.resolve("data"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void reportsCurveForSeveralSizes() throws IOException, InterruptedException {
    StoreOptions options = options("rlsm,lmdb");
    options.scales = List.of(0.0001, 0.0002);
    options.phases = "load settle";
    new StoresBenchmark(options, directory, "./bench test").run();
    Path report = Report.write(directory);
    assertThat(report)
        .content()
        .contains("## small: loads of several sizes")
        .contains("![small-load-WA.png](small-load-WA.png)")
        .doesNotContain("small.png");
    assertThat(directory.resolve("small-load-settled.png")).isNotEmptyFile();
  }

  @Test
  void reportsFailedProcess() throws IOException, InterruptedException {
    StoreOptions options = options("mvstore");
    options.noLimit = true;
    options.jvmArguments = List.of("-Xmx4m", "-Xms4m");
    BenchResult result = new StoresBenchmark(options, directory, "./bench test").run();
    assertThat(result.runs().get(0).failure()).isNotNull();
    assertThat(result.memoryLimit()).contains("page cache not limited");
    assertThat(directory.resolve("small-mvstore-1.log")).exists();
  }
}
