// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.Phase.Kind;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
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

  private PhaseRunner runner(StoreKind kind, Workload workload) {
    RunSpec spec = new RunSpec(
        kind,
        workload,
        new RunSpec.Conditions(2, MEMORY, 1, 60),
        new RunSpec.Plan(List.of(), 1, false, RunSpec.Schedule.COUNTED),
        Map.of());
    StoreSettings settings = new StoreSettings(
        workload.keys(), workload.valueBytes(), MEMORY, workload.sync(), 32, Map.of());
    return PhaseRunner.open(spec, settings, directory);
  }

  private void deleteFiles() throws IOException {
    Directories.delete(directory);
    Files.createDirectories(directory);
  }

  @ParameterizedTest
  @EnumSource
  void runsAllPhasesOnEveryStoreWithoutErrors(StoreKind kind) throws InterruptedException {
    Workload workload = Workload.parse("small").get(0).scaled(0.0002);
    try (PhaseRunner runner = runner(kind, workload)) {
      for (Phase phase : PhasePlan.beforeKill(PhasePlan.of(workload, 2, 1, 60))) {
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

  @ParameterizedTest
  @EnumSource
  void runsMatrixPhasesWithBothOrdersOfKeys(KeyOrder order) throws InterruptedException {
    Workload workload = Workload.parse("small").get(0).scaled(0.0002).ordered(order);
    try (PhaseRunner runner = runner(StoreKind.RLSM, workload)) {
      for (Phase phase : MatrixPhases.of(workload, 2, true, 0)) {
        PhaseResult result = runner.run(phase);
        assertThat(result.errors()).as(phase.name()).isZero();
        assertThat(result.isCut()).as(phase.name()).isFalse();
      }
    }
  }

  @Test
  void findsDeletedKeysAbsentAndOthersPresent() throws IOException, InterruptedException {
    for (KeyOrder order : KeyOrder.values()) {
      Workload workload = Workload.parse("small").get(0).scaled(0.0002).ordered(order);
      try (PhaseRunner runner = runner(StoreKind.MVSTORE, workload)) {
        runner.run(new Phase(PhasePlan.LOAD, Kind.LOAD, 1, 2_000, 60));
        assertThat(runner.run(new Phase("delete", Kind.DELETE, 2, 700, 60)).latency())
            .containsOnlyKeys("delete");
        PhaseResult reads = runner.run(new Phase("read", Kind.READ, 2, 2_000, 60));
        assertThat(reads.errors()).isZero();
        assertThat(reads.checks().entries()).isBetween(1_000L, 1_600L);
        for (Kind kind : List.of(Kind.SCAN_SHORT, Kind.OVERWRITE, Kind.MIXED, Kind.SCAN_LONG)) {
          PhaseResult result = runner.run(new Phase("any", kind, 2, 500, 60));
          assertThat(result.errors()).as("%s, %s", order, kind).isZero();
        }
      }
      deleteFiles();
    }
  }

  @Test
  void stopsPhaseAtTimeLimit() throws InterruptedException {
    Workload workload = Workload.parse("small").get(0);
    try (PhaseRunner runner = runner(StoreKind.MVSTORE, workload)) {
      PhaseResult load = runner.run(new Phase("load", Kind.LOAD, 2, workload.keys(), 0));
      assertThat(load.isCut()).isTrue();
      assertThat(load.work().operations()).isEqualTo(2 * 256);
      PhaseResult read = runner.run(new Phase("read", Kind.READ, 2, 100_000, 0));
      assertThat(read.checks().missing()).isZero();
    }
  }
}
