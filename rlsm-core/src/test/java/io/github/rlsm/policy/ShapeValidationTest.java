// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.policy.Plan.Compaction.Slice;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import io.github.rlsm.policy.StallPolicy.Pressure;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ShapeValidationTest {

  @Test
  void aRunHasAClosedSpanAndConsistentCounts() {
    refuses(
        () -> new RunShape(
            new RunShape.TableFile(1, 1),
            KeyRange.ALL,
            1,
            new RunShape.Counts(1, 0, 0),
            new SeqnoRange(1, 1),
            RunShape.Values.NONE),
        "open");
    refuses(() -> run(1, 9, 3, 1), "empty");
    refuses(() -> run(1, 1, 2, -1), "-1 bytes");
    refuses(() -> run(1, 1, 2, 5, 6, 0), "6 tombstones of 5 entries");
    refuses(() -> run(1, 1, 2, 5, 0, 6), "6 dead entries of 5 entries");
    refuses(
        () -> new RunShape(
            new RunShape.TableFile(1, 1),
            IntKeys.span(1, 2),
            1,
            new RunShape.Counts(1, 0, 0),
            new SeqnoRange(2, 1),
            RunShape.Values.NONE),
        "backwards");
  }

  @Test
  void aSpanHoldsBothItsKeys() {
    KeyRange span = RunShape.span(IntKeys.key(3), IntKeys.key(7));
    assertThat(span.contains(IntKeys.key(3))).isTrue();
    assertThat(span.contains(IntKeys.key(7))).isTrue();
    assertThat(span.contains(IntKeys.key(8))).isFalse();
  }

  @Test
  void runsLieInsideTheirPartition() {
    refuses(() -> partition(1, 9, run(1, 5, 10, 1)), "outside its partition");
    refuses(() -> partition(9, 1), "empty");
  }

  @Test
  void partitionsAscendAndIdsAreUnique() {
    refuses(() -> level(List.of(), partition(5, 9), partition(1, 4)), "does not lie after");
    refuses(() -> level(List.of(), partition(1, 5), partition(5, 9)), "does not lie after");
    refuses(() -> level(List.of(run(1, 1, 2, 1), run(1, 3, 4, 1))), "two L0 runs");
  }

  @Test
  void gapsLieAroundPartitions() {
    LevelShape level = level(List.of(), partition(1, 5), partition(8, 9));
    assertThat(level.gap(0)).isEqualTo(KeyRange.of(null, IntKeys.key(1)));
    assertThat(IntKeys.text(level.gap(1))).isEqualTo("[6-7]");
    assertThat(IntKeys.text(level.gap(2))).isEqualTo("[10-]");
    assertThat(level(List.of()).gap(0)).isEqualTo(KeyRange.ALL);

    LevelShape covered =
        new LevelShape(List.of(), List.of(new PartitionShape(KeyRange.ALL, List.of())));
    assertThat(covered.gap(0).isEmpty()).isTrue();
    assertThat(covered.gap(1).isEmpty()).isTrue();
  }

  @Test
  void partitionSumsItsRuns() {
    PartitionShape partition =
        partition(0, 100, run(1, 0, 50, 60, 10, 20), run(2, 40, 100, 40), run(3, 60, 70, 20));
    assertThat(partition.bytes()).isEqualTo(120);
    assertThat(partition.entries()).isEqualTo(120);
    assertThat(partition.garbageFraction()).isEqualTo(0.25);
    assertThat(partition.depth()).isEqualTo(2);
    assertThat(partition(0, 1).garbageFraction()).isZero();
    assertThat(partition(0, 1).depth()).isZero();
  }

  @Test
  void everySettingOutOfRangeIsNamedAtOnce() {
    assertThatThrownBy(() -> new SettingsBuilder()
            .l0(-1, 0)
            .compactBytesMax(0)
            .partitionBytes(26, 100)
            .runCountMax(0)
            .deadFractionMax(1)
            .pinnedFractionMax(0)
            .linkBytesMin(-1)
            .newRangeEntriesMin(0)
            .flushBytes(0)
            .parallelism(0)
            .build())
        .isInstanceOfSatisfying(
            InvalidOptionsException.class, e -> assertThat(e.problems()).hasSize(11));
    assertThatThrownBy(() -> new SettingsBuilder().partitionBytes(0, 7).build())
        .hasMessageContaining("partitionBytesMax is 7");
  }

  @Test
  void defaultSettingsAreUnchanged() {
    assertThat(new SettingsBuilder().build()).isEqualTo(PolicySettings.DEFAULT);
    assertThat(PolicySettings.DEFAULT.partitionBytesMax()).isEqualTo(120L << 20);
    assertThat(PolicySettings.DEFAULT.whenIdle().l0Trigger()).isZero();
  }

  @Test
  void otherRecordsRefuseInvalidArguments() {
    refuses(() -> new SliceSize(-1, 0), "-1 entries");
    refuses(() -> new WeightedKey(new byte[0], 0), "0 bytes");
    refuses(() -> new Pressure(-1, 0, 0), "-1.0 components");
    refuses(
        () -> new Slice(run(1, 5, 9, 1), IntKeys.span(1, 6), new SliceSize(1, 1)), "outside run");
    refuses(
        () -> new Plan.Clean(partition(1, 9, run(1, 1, 9, 1)), 0, 2, false, Plan.Clean.Reason.RUNS),
        "runs 0 to 2 of 1");
  }

  private static void refuses(ThrowingCallable what, String why) {
    assertThatThrownBy(what).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
  }
}
