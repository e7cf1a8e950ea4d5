// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.Phase.Kind;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PhaseRunnerTest {

  private static final long MEMORY = 256 << 20;

  @TempDir
  Path directory;

  private PhaseRunner runner(StoreKind kind, Workload workload, int phaseSecondsMax) {
    RunSpec spec = new RunSpec(
        kind,
        workload,
        new RunSpec.Conditions(2, MEMORY, 1, phaseSecondsMax),
        new RunSpec.Plan(List.of(), 1, false),
        Map.of());
    StoreSettings settings = new StoreSettings(
        workload.keys(), workload.valueBytes(), MEMORY, workload.sync(), 32, Map.of());
    return new PhaseRunner(spec, settings, directory);
  }

  @ParameterizedTest
  @EnumSource
  void runsAllPhasesOnEveryStoreWithoutErrors(StoreKind kind) throws InterruptedException {
    Workload workload = Workload.parse("small").get(0).scaled(0.0002);
    try (PhaseRunner runner = runner(kind, workload, 60)) {
      for (Phase phase : PhasePlan.of(workload, 2, 1)) {
        PhaseResult result = runner.run(phase);
        assertThat(result.work().operations()).as(phase.name()).isEqualTo(phase.operations());
        assertThat(result.errors()).as(phase.name()).isZero();
        assertThat(result.work().seconds()).isPositive();
        assertThat(result.isCut()).isFalse();
        if (phase.kind() == Kind.MIXED) {
          assertThat(result.latency()).containsOnlyKeys("get", "put");
          assertThat(result.work().puts()).isBetween(800L, 1_200L);
        }
      }
    }
  }

  @Test
  void stopsPhaseAtTimeLimit() throws InterruptedException {
    Workload workload = Workload.parse("small").get(0);
    try (PhaseRunner runner = runner(StoreKind.MVSTORE, workload, 0)) {
      PhaseResult load = runner.run(new Phase("load", Kind.LOAD, 2, workload.keys()));
      assertThat(load.isCut()).isTrue();
      assertThat(load.work().operations()).isEqualTo(2 * 256);
      PhaseResult read = runner.run(new Phase("read", Kind.READ, 2, 100_000));
      assertThat(read.checks().missing()).isZero();
    }
  }
}
