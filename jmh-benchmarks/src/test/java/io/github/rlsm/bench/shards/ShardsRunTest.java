// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.report.ShardsReport;
import io.github.rlsm.bench.result.ShardsPhase;
import io.github.rlsm.bench.result.ShardsResult;
import io.github.rlsm.bench.result.ShardsSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every kind of work on every store, briefly; the figures mean nothing. */
class ShardsRunTest {

  @TempDir
  Path directory;

  @Test
  void runsAllWorkOnEveryStore() throws Exception {
    List<ShardsResult> results = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      ShardsSpec spec = new ShardsSpec(
          contender, 2, new ShardsSpec.Data(500, 32), List.of(Work.values()), List.of(3), 20);
      ShardsResult result = ShardsRun.run(spec, directory.resolve(contender.option()));
      assertThat(result.phases())
          .hasSize(Work.values().length + (contender.isSharded() ? 3 : 0))
          .allMatch(phase -> phase.threads() == 3 && phase.each().cpuMicros() >= 0);
      assertThat(result.phases().stream().anyMatch(phase -> phase.batches().writeBatch() >= 1))
          .isEqualTo(contender.isSharded());
      assertThat(result.phases().stream().anyMatch(ShardsPhase::async))
          .isEqualTo(contender.isSharded());
      results.add(result);
    }
    String report = ShardsReport.of(new ShardsResult.All(
        "today", "abc", "./bench shards", Machine.describe(directory), results));
    assertThat(report)
        .contains("| work, clients | RocksDB | RocksDB, shards | RLSM | RLSM, shards |")
        .contains("| put async, 3 | – | ")
        .contains("### Requests served as one");
  }
}
