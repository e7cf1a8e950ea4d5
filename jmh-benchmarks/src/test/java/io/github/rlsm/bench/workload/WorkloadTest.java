// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.bench.workload.Phase.Kind;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WorkloadTest {

  @Test
  void parsesWorkloadNames() {
    assertThat(Workload.parse("16k, small"))
        .extracting(Workload::name)
        .containsExactly("16k", "small");
    assertThatThrownBy(() -> Workload.parse("large"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"large\"")
        .hasMessageContaining("small, 1k, 16k, sync");
  }

  @Test
  void scalingChangesOnlyKeyCount() {
    Workload small = Workload.parse("small").get(0);
    assertThat(small.scaled(0.2))
        .isEqualTo(new Workload("small", 2_000_000, 100, false, KeyOrder.RANDOM));
    assertThat(small.scaled(0).keys()).isEqualTo(1_000);
    assertThat(small.entryBytes()).isEqualTo(116);
  }

  @Test
  void rehearsalsAreSmall() {
    assertThat(Workload.parse("small").get(0).rehearsal().keys()).isEqualTo(100_000);
    assertThat(Workload.parse("16k").get(0).rehearsal().keys()).isEqualTo((256 << 20) / 16_000);
  }

  @Test
  void writeRehearsalsDoNotFitInMemoryIfTheWorkloadDoesNot() {
    Workload small = Workload.parse("small").get(0);
    assertThat(small.writeRehearsal(1 << 29).dataBytes())
        .isCloseTo((1 << 29) / 10 * 11L, Offset.offset(small.entryBytes()));
    assertThat(small.writeRehearsal(2L << 30)).isEqualTo(small);
  }

  @Test
  void writeRehearsalsEndWhenTheStoreIsSettled() {
    Workload small = Workload.parse("small").get(0);
    List<Phase> load = List.of(
        new Phase(PhasePlan.LOAD, Kind.LOAD, 2, small.keys(), 3),
        new Phase(PhasePlan.LOAD_SETTLE, Kind.SETTLE, 1, 0, 3));
    assertThat(PhasePlan.writeRehearsal(small, 2, false)).isEqualTo(load);
    assertThat(PhasePlan.writeRehearsal(Workload.parse("sync").get(0), 2, false))
        .isEmpty();
  }

  /** A store whose data fits in memory first moves values when they are overwritten. */
  @Test
  void writeRehearsalsOverwriteDataThatFitsInMemory() {
    Workload small = Workload.parse("small").get(0);
    assertThat(PhasePlan.writeRehearsal(small, 2, true))
        .startsWith(PhasePlan.writeRehearsal(small, 2, false).toArray(Phase[]::new))
        .endsWith(
            new Phase(PhasePlan.OVERWRITE, Kind.OVERWRITE, 2, Phase.TIMED, 2),
            new Phase(PhasePlan.OVERWRITE_SETTLE, Kind.SETTLE, 1, 0, 2));
  }

  /** Without enough calls, the compiler compiles them while the first ones are measured. */
  @Test
  void rehearsalsGetScanAndOverwriteForATime() {
    List<Phase> phases = PhasePlan.rehearsal(PhasePlan.of(Workload.all().get(0), 2, 1, 60));
    Predicate<Phase> warms = phase -> phase.kind().isRead() || phase.kind() == Kind.OVERWRITE;
    assertThat(phases).filteredOn(warms).hasSize(8).allSatisfy(phase -> {
      assertThat(phase.isTimed()).isTrue();
      assertThat(phase.secondsMax()).isEqualTo(1);
    });
    assertThat(phases).filteredOn(warms.negate()).noneMatch(Phase::isTimed);
    assertThat(phases).extracting(Phase::kind).contains(Phase.Kind.LOAD, Phase.Kind.DELETE);
  }

  @Test
  void phaseNamesAreUnique() {
    for (Workload workload : Workload.all()) {
      List<Phase> phases = PhasePlan.of(workload, 2, 1, 60);
      assertThat(phases).extracting(Phase::name).doesNotHaveDuplicates();
      assertThat(phases)
          .filteredOn(phase -> phase.kind() == Kind.LOAD)
          .first()
          .extracting(Phase::operations)
          .isEqualTo(workload.keys());
    }
  }

  @Test
  void readRoundsDoNotChangeWrites() {
    Workload workload = Workload.parse("1k").get(0);
    List<Phase> once = PhasePlan.of(workload, 2, 1, 60);
    List<Phase> often = PhasePlan.of(workload, 2, 5, 60);
    for (int i = 0; i < once.size(); i++) {
      Phase phase = once.get(i);
      boolean reads = List.of(
              PhasePlan.READ,
              PhasePlan.READ_ZIPFIAN,
              PhasePlan.SCAN_SHORT,
              PhasePlan.SCAN_LONG,
              PhasePlan.SCAN_SHORT_AGAIN)
          .contains(phase.name());
      assertThat(often.get(i).name()).isEqualTo(phase.name());
      assertThat(often.get(i).operations()).isEqualTo((reads ? 5 : 1) * phase.operations());
    }
  }

  @Test
  void syncPhasesUseIncreasingClientCounts() {
    List<Phase> phases = PhasePlan.of(Workload.parse("sync").get(0), 2, 1, 60);
    assertThat(phases)
        .filteredOn(phase -> phase.kind() == Kind.LOAD)
        .extracting(Phase::clients)
        .containsExactly(1, 2, 8, 32);
    assertThat(PhasePlan.clientsMax(phases)).isEqualTo(32);
  }

  @Test
  void claimIsSmallForFewOperations() {
    assertThat(new Phase("load", Kind.LOAD, 2, 10_000_000, 60).claim()).isEqualTo(256);
    assertThat(new Phase("scan", Kind.SCAN_LONG, 2, 200, 60).claim()).isEqualTo(1);
  }
}
