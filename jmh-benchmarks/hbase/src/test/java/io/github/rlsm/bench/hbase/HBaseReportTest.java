// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import io.github.rlsm.bench.hbase.server.ServerCounters;
import io.github.rlsm.bench.result.Latency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the cells of the report, for engines that ran once and repeatedly. */
class HBaseReportTest {

  private HBaseResult result = new HBaseResult(
      "2026-01-01T00:00:00Z",
      "abc",
      "./bench hbase",
      "2.6.1",
      new Machine("CPU", 2, 1 << 30, "Linux", "Java", "ext4"),
      List.of());

  /** Adds a run whose only phase made this many lookups in a second. */
  private void run(EngineKind engine, long operations, long errors) {
    HBasePhase phase = new HBasePhase(
        "gets",
        new HBasePhase.Calls(operations, 0, 1, 1, errors, new ServerCounters.Processor(0.5, 0.25)),
        new Latency(operations, 1, 2_000, 3_000, 4_000, 5_000),
        new HBasePhase.Use(
            new HBasePhase.Written(0, 0, 0),
            new ServerCounters.Blocks(operations, 2 * operations, 3 * operations),
            1,
            1,
            new MemoryPeak(1, 1, 1 << 20, 1),
            new GcLog.Pauses(1, operations, 1, 1, 2)));
    HBaseSpec spec = new HBaseSpec(
        engine,
        new HBaseSpec.Load(10, 1_000, 10, 10, 2),
        new HBaseSpec.Server(4 << 20, 1_024, false, false),
        Map.of());
    result = result.with(new EngineResult(spec, List.of(phase), Map.of()));
  }

  private String row(String title) {
    return HBaseReport.of(result)
        .lines()
        .filter(line -> line.startsWith("| " + title + " |"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void singleRunsHaveNoRange() {
    run(EngineKind.DEFAULT, 200, 0);
    run(EngineKind.RLSM, 300, 0);
    assertThat(row("operations/s")).isEqualTo("| operations/s | 200 | 300, 1.50 × |");
    assertThat(HBaseReport.of(result)).contains("Runs of each engine: 1.");
  }

  @Test
  void repeatedRunsHaveMediansAndRanges() {
    for (long operations : new long[] {400, 100, 200}) {
      run(EngineKind.DEFAULT, operations, 0);
      run(EngineKind.RLSM, 2 * operations + 100, 0);
    }
    assertThat(row("operations/s"))
        .isEqualTo("| operations/s | 200 (100 to 400) | 500 (300 to 900), 2.50 × |");
    assertThat(row("blocks from files, each"))
        .isEqualTo("| blocks from files, each | 2.00 | 2.00 |");
    assertThat(row("values at offsets, each"))
        .isEqualTo("| values at offsets, each | 3.00 | 3.00 |");
    assertThat(row("processor time, ms each"))
        .isEqualTo(
            "| processor time, ms each | 2.50 (1.25 to 5.00) | 1.00 (0.56 to 1.67), 0.40 × |");
    assertThat(HBaseReport.of(result)).contains("Runs of each engine: 3.");
  }

  @Test
  void errorsOfAllRunsAreShown() {
    run(EngineKind.RLSM, 100, 1);
    run(EngineKind.RLSM, 100, 0);
    run(EngineKind.RLSM, 100, 0);
    assertThat(row("errors, all runs")).isEqualTo("| errors, all runs | 1 |");
  }

  /** The default engine compacts nothing while it is only read. */
  @Test
  void ratioNeedsAPeerThatIsNotZero() {
    run(EngineKind.DEFAULT, 100, 0);
    run(EngineKind.RLSM, 100, 0);
    assertThat(row("… by compactions")).isEqualTo("| … by compactions | 0 | 0 |");
  }

  @Test
  void ratioNeedsTheDefaultEngine() {
    run(EngineKind.RLSM, 100, 0);
    assertThat(row("operations/s")).isEqualTo("| operations/s | 100 |");
  }
}
