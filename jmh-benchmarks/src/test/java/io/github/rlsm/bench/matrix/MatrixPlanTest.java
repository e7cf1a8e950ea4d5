// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixPlanTest {

  private static final MatrixSettings SETTINGS = MatrixSettings.DEFAULT;
  private static final MatrixCase MEDIUM = new MatrixCase(1_000, Amount.MORE, KeyOrder.RANDOM, 2);
  private static final MatrixCase SMALL = new MatrixCase(100, Amount.HALF, KeyOrder.RANDOM, 2);

  @Test
  void casesAreFoundByName() {
    for (MatrixCase one : MatrixPlan.all()) {
      assertThat(MatrixPlan.named(List.of(one.name()))).containsExactly(one);
    }
    assertThatThrownBy(() -> MatrixPlan.named(List.of("1000b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no case is named 1000b: names are like 1000b-1.5x-random-2t");
  }

  @Test
  void hasEveryCombinationOnce() {
    List<MatrixCase> all = MatrixPlan.all();
    assertThat(all).doesNotHaveDuplicates().hasSize(7 * 3 * 2 * 2 + 2 * 2);
    assertThat(all).extracting(MatrixCase::name).doesNotHaveDuplicates();
    for (int size : MatrixPlan.SIZES) {
      assertThat(all)
          .filteredOn(one -> one.valueBytes() == size && one.amount() != Amount.QUARTER)
          .hasSize(12);
    }
    assertThat(all).containsAll(MatrixPlan.sample());
  }

  @Test
  void beginsWithWideRange() {
    assertThat(MatrixPlan.all().get(0)).isEqualTo(MEDIUM);
    assertThat(MatrixPlan.all().subList(0, 7))
        .extracting(MatrixCase::valueBytes)
        .containsExactlyInAnyOrderElementsOf(MatrixPlan.SIZES);
    assertThat(MatrixPlan.all().subList(0, MatrixPlan.all().size() / 2))
        .allMatch(one -> one.clients() == 2);
  }

  @Test
  void peersDependOnSizeAndAmount() {
    assertThat(SMALL.stores()).containsExactly(StoreKind.RLSM, StoreKind.ROCKSDB);
    assertThat(MEDIUM.stores())
        .containsExactly(StoreKind.RLSM, StoreKind.ROCKSDB, StoreKind.BLOBDB);
    assertThat(new MatrixCase(1_000, Amount.QUARTER, KeyOrder.RANDOM, 2).stores())
        .containsExactly(StoreKind.RLSM, StoreKind.LMDB);
  }

  @Test
  void dataIsShareOfMemory() {
    Workload workload = MEDIUM.workload(SETTINGS);
    assertThat(workload.dataBytes())
        .isBetween(SETTINGS.memoryBytes() * 3 / 2 - 1_016, SETTINGS.memoryBytes() * 3 / 2);
    assertThat(workload.order()).isEqualTo(KeyOrder.RANDOM);
    assertThat(MEDIUM.specs(SETTINGS))
        .allMatch(spec -> spec.plan().schedule() == RunSpec.Schedule.MATRIX)
        .extracting(spec -> spec.workload().name())
        .containsOnly("1000b-1.5x-random-2t");
  }

  @Test
  void recordedCasesAreNotMeasuredAgain() {
    List<MatrixCase> cases = List.of(MEDIUM, SMALL);
    Map<String, BenchResult> recorded = Map.of(MEDIUM.name(), Results.of(MEDIUM, SETTINGS, 1));
    assertThat(MatrixPlan.remaining(cases, SETTINGS, Map.of())).isEqualTo(cases);
    assertThat(MatrixPlan.remaining(cases, SETTINGS, recorded)).containsExactly(SMALL);
  }

  @Test
  void changedSettingsOrPhasesMeasureCaseAgain() {
    Map<String, BenchResult> recorded = Map.of(MEDIUM.name(), Results.of(MEDIUM, SETTINGS, 1));
    MatrixSettings longer = new MatrixSettings(SETTINGS.memoryBytes(), 1, 7, true, Map.of());
    MatrixSettings other =
        new MatrixSettings(SETTINGS.memoryBytes(), 1, 5, true, Map.of("shards", "2"));
    BenchResult result = Results.of(MEDIUM, SETTINGS, 1);
    StoreResult first = result.runs().get(0);
    StoreResult shorter =
        new StoreResult(first.spec(), 1, 2, first.phases().subList(0, 3), Map.of(), null);
    assertThat(remainingWithFirst(result, shorter)).containsExactly(MEDIUM);
    assertThat(remainingWithFirst(result, shorter.failed("out of memory"))).isEmpty();
    assertThat(MatrixPlan.remaining(List.of(MEDIUM), longer, recorded)).containsExactly(MEDIUM);
    assertThat(MatrixPlan.remaining(List.of(MEDIUM), other, recorded)).containsExactly(MEDIUM);
  }

  private static List<MatrixCase> remainingWithFirst(BenchResult result, StoreResult first) {
    List<StoreResult> runs = new ArrayList<>(result.runs());
    runs.set(0, first);
    BenchResult changed = new BenchResult("", "", "", result.machine(), "", runs);
    return MatrixPlan.remaining(List.of(MEDIUM), SETTINGS, Map.of(MEDIUM.name(), changed));
  }

  @Test
  void stopsBeforeCaseThatWouldEndLate() {
    Duration limit = Duration.ofMinutes(10);
    Duration expected = Duration.ofMinutes(3);
    assertThat(MatrixPlan.stopsBefore(Duration.ofMinutes(7), expected, limit)).isFalse();
    assertThat(MatrixPlan.stopsBefore(Duration.ofMinutes(8), expected, limit)).isTrue();
    assertThat(MatrixPlan.stopsBefore(Duration.ZERO, expected, Duration.ZERO)).isTrue();
  }

  @Test
  void wholeMatrixFitsSixHoursAndSampleQuarterOfAnHour() {
    assertThat(Estimate.of(MatrixPlan.all(), SETTINGS)).isLessThan(Duration.ofMinutes(340));
    assertThat(Estimate.of(MatrixPlan.sample(), SETTINGS)).isLessThan(Duration.ofMinutes(14));
  }

  @Test
  void estimateGrowsWithDataAndPhases() {
    MatrixCase large = new MatrixCase(1_000, Amount.FAR_MORE, KeyOrder.RANDOM, 2);
    MatrixSettings longer = new MatrixSettings(SETTINGS.memoryBytes(), 1, 6, true, Map.of());
    assertThat(Estimate.of(large, SETTINGS)).isGreaterThan(Estimate.of(MEDIUM, SETTINGS));
    assertThat(Estimate.of(MEDIUM, longer).minus(Estimate.of(MEDIUM, SETTINGS)))
        .isEqualTo(Duration.ofSeconds(3 * 7));
    assertThat(Estimate.of(List.of(MEDIUM, SMALL), SETTINGS))
        .isEqualTo(Estimate.of(MEDIUM, SETTINGS).plus(Estimate.of(SMALL, SETTINGS)));
  }

  @Test
  void finishedCasesCorrectTheEstimate() {
    Duration hour = Duration.ofHours(1);
    assertThat(Estimate.corrected(hour, Duration.ZERO, Duration.ZERO)).isEqualTo(hour);
    assertThat(Estimate.corrected(hour, Duration.ofMinutes(10), Duration.ofMinutes(15)))
        .isEqualTo(Duration.ofMinutes(90));
  }

  @Test
  void progressNamesCaseAndEnd() {
    Instant now = Instant.parse("2026-01-01T10:30:00Z");
    assertThat(Estimate.progress(3, 88, MEDIUM, now, Duration.ofMinutes(95)))
        .isEqualTo("case 3 of 88: 1,000 B, 1.5 × memory, random keys, 2 threads;"
            + " 95 min left, end at about 12:05 UTC");
  }
}
