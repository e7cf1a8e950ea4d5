// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.store.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final BenchResult RESULT = Samples.result(
      Samples.run(StoreKind.ROCKSDB, 1, 4),
      Samples.run(StoreKind.LMDB, 1, 1),
      Samples.run(StoreKind.MVSTORE, 1, 2).failed("out of memory"));

  @TempDir
  Path directory;

  @Test
  void reportHasFiguresRatiosAndFailures() {
    String report = StoreReport.of(RESULT);
    assertThat(report)
        .contains("- Machine: Abacus, 2 cores, 4 GiB, Linux 1, ext4")
        .contains("- Memory for each process: 1,024 MiB, by control group")
        .contains("## small: 1,000 × 84 B, 0.00 GiB of data: fits in memory")
        .contains("| RocksDB | 250 | 200 | 250† | – |")
        .contains("| LMDB | 4.00 | 2.50 | 1.00 | – |")
        .contains("1.5 / 9.5 / 20.0 / 3,000.0")
        .contains("- MVStore, run 1, did not finish: out of memory")
        .contains("**LMDB**: WRITEMAP and NOSYNC");
  }

  @Test
  void jsonRoundTripKeepsResults() {
    Path file = directory.resolve("stores.json");
    Json.write(file, RESULT);
    assertThat(Json.read(file, BenchResult.class)).isEqualTo(RESULT);
  }

  @Test
  void drawsChart() throws IOException {
    assertThat(RatioChart.write(RESULT, directory)).containsExactly("small.png");
    assertThat(Files.size(directory.resolve("small.png"))).isGreaterThan(1_000);
  }

  @Test
  void drawsNoChartWithoutOtherStores() throws IOException {
    assertThat(RatioChart.write(Samples.result(Samples.run(StoreKind.LMDB, 1, 1)), directory))
        .isEmpty();
  }

  @Test
  void jmhResultsBecomeTable() throws IOException {
    Path file = directory.resolve("jmh.json");
    Files.writeString(file, """
        [{"benchmark": "a.b.Crc32cBenchmark.array", "threads": 1, "params": {"bytes": "128"},
          "primaryMetric": {"score": 1234.5678, "scoreError": "NaN", "scoreUnit": "ns/op"}}]
        """);
    assertThat(JmhReport.of(file))
        .contains("| Crc32cBenchmark.array | bytes = 128 | 1 | 1,234.568 | – | ns/op |");
  }

  @Test
  void rejectsRowWithWrongCellCount() {
    MarkdownTable table = new MarkdownTable(List.of("store", "load"));
    table.row(List.of("LMDB", "7"));
    assertThat(table).hasToString("| store | load |\n| --- | ---: |\n| LMDB | 7 |\n");
    assertThatThrownBy(() -> table.row(List.of("LMDB")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells for 2 columns");
  }
}
