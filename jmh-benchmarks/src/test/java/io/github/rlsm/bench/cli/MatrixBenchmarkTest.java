// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.matrix.Amount;
import io.github.rlsm.bench.matrix.MatrixCase;
import io.github.rlsm.bench.matrix.MatrixSettings;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.workload.KeyOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixBenchmarkTest {

  private static final MatrixSettings TINY =
      new MatrixSettings(512 << 20, 1e-9, 0, false, Map.of());
  private static final MatrixCase FIRST = new MatrixCase(100, Amount.HALF, KeyOrder.RANDOM, 2);
  private static final MatrixCase SECOND = new MatrixCase(300, Amount.MORE, KeyOrder.INCREASING, 2);

  @TempDir
  Path directory;

  private int run(Duration limit, MatrixCase... cases) throws IOException, InterruptedException {
    return new MatrixBenchmark(
            TINY,
            new MatrixBenchmark.Places(directory.resolve("out"), directory.resolve("data")),
            new MatrixBenchmark.Labels("e1", "c1", "./bench matrix"),
            limit,
            false,
            false)
        .run(List.of(FIRST, SECOND), List.of(cases));
  }

  @Test
  void measuresEachCaseOnceAndContinues() throws IOException, InterruptedException {
    assertThat(run(Duration.ZERO, FIRST, SECOND)).isZero();
    assertThat(directory.resolve("out/report.md")).doesNotExist();

    assertThat(run(Duration.ofHours(1), FIRST)).isEqualTo(1);
    Path first = directory.resolve("out/cases/100b-0.5x-random-2t.json");
    String recorded = Files.readString(first);
    assertThat(directory.resolve("out/report.md")).content().contains("- Cases: 1 of 2");

    assertThat(run(Duration.ofHours(1), FIRST, SECOND)).isEqualTo(1);
    assertThat(first).hasContent(recorded);
    assertThat(directory.resolve("out/report.md"))
        .content()
        .contains("# Matrix of engine e1", "- Cases: 2 of 2", "- Cells: 22, ", "zipfian");
    assertThat(directory.resolve("out/matrix.svg")).content().contains("<svg", "</svg>");
    for (StoreResult run : Json.read(first, BenchResult.class).runs()) {
      assertThat(run.failure()).isNull();
      assertThat(run.phases()).hasSize(13).allMatch(phase -> phase.errors() == 0);
    }

    assertThat(run(Duration.ofHours(1), FIRST, SECOND)).isZero();
    assertThat(directory.resolve("data")).isEmptyDirectory();
  }
}
