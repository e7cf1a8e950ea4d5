// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.policy.FlushPlanner.Values;
import org.junit.jupiter.api.Test;

class FlushPlannerTest {

  private static final long MEMORY = 1 << 30;

  private static boolean mayBe(long liveBytes, boolean isForced) {
    return FlushPlanner.mayBeWorthSorting(liveBytes, MEMORY, isForced);
  }

  @Test
  void valuesThatFitInMemoryAreNotSorted() {
    assertThat(mayBe(MEMORY / 2, false)).isFalse();
    assertThat(mayBe(MEMORY / 4 * 3, false)).isFalse();
    assertThat(mayBe(MEMORY / 4 * 3 + 1, false)).isTrue();
    assertThat(FlushPlanner.mayBeWorthSorting(1L << 60, Long.MAX_VALUE, false))
        .as("with memory of unknown size")
        .isFalse();
  }

  @Test
  void valuesOfAForcedLogAreNotSorted() {
    assertThat(mayBe(4 * MEMORY, true)).isFalse();
  }

  @Test
  void valuesThatStayInTheLogAndDoNotFitInMemoryAreNotInLargePages() {
    assertThat(FlushPlanner.mayUseLargePages(MEMORY / 4 * 3, MEMORY, true)).isTrue();
    assertThat(FlushPlanner.mayUseLargePages(MEMORY / 4 * 3 + 1, MEMORY, true)).isFalse();
    assertThat(FlushPlanner.mayUseLargePages(4 * MEMORY, MEMORY, false)).isTrue();
  }

  @Test
  void longValuesAreNotSorted() {
    assertThat(new Values(100, 100 * 4096, 100).areWorthSorting()).isTrue();
    assertThat(new Values(100, 100 * 4096 + 1, 100).areWorthSorting()).isFalse();
    assertThat(new Values(0, 0, 0).areWorthSorting()).isFalse();
  }

  @Test
  void valuesWrittenInTheOrderOfKeysAreNotSorted() {
    assertThat(new Values(800, 800_000, 100).areWorthSorting()).isFalse();
    assertThat(new Values(800, 800_000, 101).areWorthSorting()).isTrue();
  }
}
