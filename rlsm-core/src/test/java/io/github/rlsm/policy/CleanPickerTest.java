// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.level;
import static io.github.rlsm.policy.Shapes.partition;
import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.policy.Plan.Clean.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CleanPickerTest {

  private static final PolicySettings SETTINGS =
      new SettingsBuilder().runCountMax(3).pinnedFractionMax(0.2).build();

  private static RunShape link(long table, int from, int to, long bytes, long tableBytes) {
    return new RunShape(
        new RunShape.TableFile(table, tableBytes),
        IntKeys.span(from, to),
        bytes,
        new RunShape.Counts(bytes, 0, 0),
        new SeqnoRange(table, table),
        RunShape.Values.NONE);
  }

  private static Optional<Plan.Clean> pick(PartitionShape... l1) {
    return new CleanPicker(SETTINGS)
        .pick(level(List.of(), l1), partition -> true)
        .map(CleanPicker.Choice::plan);
  }

  @Test
  void rewrittenSlicesPinTheirTablesSpace() {
    PartitionShape left = partition(0, 9, link(1, 0, 9, 30, 100), link(2, 0, 9, 50, 50));
    PartitionShape right = partition(10, 19, link(1, 10, 19, 20, 100));
    CleanPicker.PinnedSpace pinned = CleanPicker.PinnedSpace.of(List.of(left, right));

    assertThat(pinned.fraction()).isCloseTo(50.0 / 150, within(1e-9));
    assertThat(pinned.use(left.runs().get(0))).isEqualTo(0.5);
    assertThat(pinned.use(left.runs().get(1))).isEqualTo(1);
    assertThat(pinned.leastUsed(left)).isZero();
    assertThat(CleanPicker.PinnedSpace.of(List.of()).fraction()).isZero();
    assertThat(CleanPicker.PinnedSpace.of(List.of(partition(0, 9, run(1, 0, 9, 5))))
            .fraction())
        .isZero();
  }

  @Test
  void slicesThatAreAllInUsePinNothing() {
    assertThat(pick(
            partition(0, 9, link(1, 0, 9, 60, 100)), partition(10, 19, link(1, 10, 19, 40, 100))))
        .isEmpty();
  }

  @Test
  void pinnedSpaceBeyondTheLimitIsDebt() {
    assertThat(debt(level(List.of(), partition(0, 9, link(1, 0, 9, 80, 100))))).isZero();
    assertThat(debt(level(List.of(), partition(0, 9, link(1, 0, 9, 50, 100))))).isEqualTo(30);
  }

  private static long debt(LevelShape level) {
    return CompactionPicker.debtBytes(level, SETTINGS);
  }

  @Test
  void theLeastUsedTableIsFreedFirst() {
    PartitionShape little = partition(10, 19, link(2, 10, 19, 10, 100));
    Plan.Clean plan = pick(partition(0, 9, link(1, 0, 9, 70, 100)), little).orElseThrow();
    assertThat(plan.partition()).isEqualTo(little);
    assertThat(plan.reason()).isEqualTo(Reason.LINKS);
    assertThat(plan.rewrittenBytes()).isEqualTo(10);
  }

  @Test
  void aLittlePinnedSpaceIsLeftAlone() {
    assertThat(pick(partition(0, 9, link(1, 0, 9, 80, 100)))).isEmpty();
    assertThat(pick(partition(0, 9, link(1, 0, 9, 79, 100)))).isPresent();
  }

  @Test
  void adjacentRunsOfLikeSizeAreRewrittenTooButNotLargeOnes() {
    PartitionShape likeSizes =
        partition(0, 9, run(5, 0, 9, 12), link(1, 0, 9, 10, 100), run(6, 0, 9, 9));
    assertThat(pick(likeSizes).orElseThrow().runs()).isEqualTo(likeSizes.runs());

    PartitionShape besideLarge =
        partition(0, 9, run(5, 0, 9, 90), link(1, 0, 9, 10, 100), run(6, 0, 9, 90));
    Plan.Clean alone = pick(besideLarge).orElseThrow();
    assertThat(alone.runs()).containsExactly(besideLarge.runs().get(1));
    assertThat(alone.dropsTombstones()).isFalse();
  }

  @Test
  void moreUrgentCleanComesFirst() {
    PartitionShape deep = partition(
        50, 59, run(6, 50, 59, 9), run(7, 50, 59, 9), run(8, 50, 59, 9), run(9, 50, 59, 9));
    PartitionShape littlePinned = partition(0, 9, link(1, 0, 9, 70, 100));
    PartitionShape muchPinned = partition(0, 9, link(1, 0, 9, 10, 100));
    assertThat(pick(littlePinned, deep).orElseThrow().reason()).isEqualTo(Reason.RUNS);
    assertThat(pick(muchPinned, deep).orElseThrow().reason()).isEqualTo(Reason.LINKS);
  }

  @Test
  void heldPartitionsAreLeftOut() {
    LevelShape level = level(
        List.of(),
        partition(0, 9, link(1, 0, 9, 10, 100)),
        partition(10, 19, link(1, 10, 19, 30, 100)));
    CleanPicker picker = new CleanPicker(SETTINGS);
    assertThat(picker.pick(level, partition -> false)).isEmpty();
    assertThat(picker.pick(level, partition -> partition.bytes() == 30))
        .hasValueSatisfying(choice -> assertThat(choice.plan().rewrittenBytes()).isEqualTo(30));
  }
}
