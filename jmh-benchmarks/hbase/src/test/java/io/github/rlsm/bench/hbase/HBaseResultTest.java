// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HBaseResultTest {

  private static HBaseSpec spec(EngineKind engine, long scans) {
    return new HBaseSpec(
        engine,
        new HBaseSpec.Load(10, 1_000, 10, scans, 2),
        new HBaseSpec.Server(4 << 20, 1_024, false, false),
        Map.of());
  }

  private static HBaseResult result(String commit, long scans) {
    Machine machine = new Machine("CPU", 2, 1 << 30, "Linux", "Java", "ext4");
    return new HBaseResult(
            "2026-01-01T00:00:00Z", commit, "./bench hbase", "2.6.1", machine, List.of())
        .with(new EngineResult(spec(EngineKind.RLSM, scans), List.of(), Map.of()));
  }

  @Test
  void runsOfTheSameWorkAreContinued() {
    assertThat(result("abc", 10).difference("abc", engine -> spec(engine, 10))).isEmpty();
  }

  @Test
  void runsOfOtherWorkOrSourcesAreNotContinued() {
    assertThat(result("abc", 20).difference("abc", engine -> spec(engine, 10)))
        .hasValueSatisfying(text -> assertThat(text).contains("scans=20", "scans=10"));
    assertThat(result("abc", 10).difference("abd", engine -> spec(engine, 10)))
        .contains("of commit abc, and this is abd");
  }
}
