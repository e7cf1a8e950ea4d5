// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CollectPlannerTest {

  private static final CollectSettings SETTINGS = new CollectSettings(1.5, 0.8, 1);

  private static ValueSegmentShape segment(int number, int live) {
    return new ValueSegmentShape(number, 100, live);
  }

  private static Optional<Integer> next(
      CollectSettings settings, long disk, long live, ValueSegmentShape... segments) {
    return new CollectPlanner(settings)
        .next(new SpaceShape(disk, live, 10, List.of(segments)))
        .map(ValueSegmentShape::number);
  }

  @Test
  void nothingWhileTheStoreTakesNoMoreThanItMay() {
    assertThat(next(SETTINGS, 140, 100, segment(1, 0))).isEmpty();
    assertThat(next(SETTINGS, 151, 100, segment(1, 0))).contains(1);
    assertThat(next(SETTINGS, 1, 0, segment(1, 10))).contains(1);
  }

  @Test
  void theOneWithTheMostGarbage() {
    assertThat(next(SETTINGS, 1000, 100, segment(7, 60), segment(8, 30), segment(9, 70)))
        .contains(8);
  }

  @Test
  void theOlderOfTwoAlike() {
    assertThat(next(SETTINGS, 1000, 100, segment(3, 50), segment(9, 50))).contains(3);
  }

  @Test
  void noneThatCostsMoreThanItGives() {
    assertThat(next(SETTINGS, 1000, 100, segment(1, 81), segment(2, 100))).isEmpty();
    assertThat(next(SETTINGS, 1000, 100, segment(1, 81), segment(2, 80))).contains(2);
  }

  @Test
  void nothingIsGainedByAnEmptyOne() {
    assertThat(next(SETTINGS, 1000, 100, new ValueSegmentShape(1, 0, 0))).isEmpty();
  }

  @Test
  void whoAsksGetsWhateverGivesSpaceBack() {
    assertThat(next(SETTINGS.whenAsked(), 110, 100, segment(1, 90))).contains(1);
    assertThat(next(SETTINGS.whenAsked(), 110, 100, segment(1, 96))).isEmpty();
  }

  /** Collecting what is due, and writing what was live into new segments, comes to an end. */
  @Test
  void collectingEnds() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      List<ValueSegmentShape> segments = new ArrayList<>();
      for (int number = 1; number <= 20; number++) {
        segments.add(segment(number, random.nextInt(101)));
      }
      int written = 0;
      for (int number = 21; ; number++) {
        long disk = segments.stream().mapToLong(ValueSegmentShape::totalBytes).sum();
        long live = segments.stream().mapToLong(ValueSegmentShape::liveBytes).sum();
        Optional<ValueSegmentShape> next =
            new CollectPlanner(SETTINGS).next(new SpaceShape(disk, live, number, segments));
        if (next.isEmpty()) {
          assertThat(disk <= 1.5 * live
                  || segments.stream().allMatch(segment -> segment.liveFraction() > 0.8))
              .isTrue();
          break;
        }
        segments.remove(next.get());
        long moved = next.get().liveBytes();
        segments.add(new ValueSegmentShape(number, moved, moved));
        written += (int) moved;
      }
      // Each collection frees a quarter of what it writes, or more.
      assertThat(written).isLessThanOrEqualTo(4 * 20 * 100);
    }
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> new CollectSettings(0.9, 0.8, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("maxSpaceAmplification");
    assertThatThrownBy(() -> new CollectSettings(1.3, 1, 1))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("liveFractionMax");
    assertThatThrownBy(() -> new CollectSettings(1.3, 0.8, 0))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("stepBytes");
    assertThatThrownBy(() -> segment(1, 101)).isInstanceOf(IllegalArgumentException.class);
  }
}
