// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColdReadsTest {

  private static final long SLOW = 100_000;
  private static final long FAST = 500;

  private final ColdReads values = new ColdReads();

  @Test
  void fourthSlowReadMakesColdValuesExpected() {
    for (int i = 0; i < 3; i++) {
      values.noteRead(1, SLOW);
      assertThat(values.areExpected()).isFalse();
    }
    values.noteRead(1, SLOW);
    assertThat(values.areExpected()).isTrue();
  }

  /** Values that are in memory but not in the mapping cost a page fault each. */
  @Test
  void timeLimitGrowsWithTheNumberOfValues() {
    for (int i = 0; i < 100; i++) {
      assertThat(values.noteRead(8, 8 * 3_000)).isFalse();
    }
    assertThat(values.areExpected()).isFalse();
    assertThat(values.noteRead(8, SLOW)).isTrue();
  }

  @Test
  void manyFastReadsEndTheExpectation() {
    for (int i = 0; i < 100; i++) {
      values.noteRead(1, SLOW);
    }
    int fast = 0;
    while (values.areExpected()) {
      values.noteRead(8, FAST);
      fast += 8;
    }
    assertThat(fast).isBetween(100, 200);
    assertThat(values.isWorthAsking()).isFalse();
  }

  /** If one read in thirty is slow, read-ahead requests for all values cost more than they save. */
  @Test
  void rareSlowReadsDoNotMakeColdValuesExpected() {
    for (int i = 0; i < 3_000; i++) {
      values.noteRead(1, i % 30 == 0 ? SLOW : FAST);
    }
    assertThat(values.areExpected()).isFalse();
    for (int i = 0; i < 3_000; i++) {
      values.noteRead(1, i % 10 == 0 ? SLOW : FAST);
    }
    assertThat(values.areExpected()).isTrue();
  }

  @Test
  void someBatchesAreReadWithoutReadAhead() {
    for (int i = 0; i < 4; i++) {
      values.noteRead(1, SLOW);
    }
    int asked = 0;
    for (int i = 0; i < 160; i++) {
      asked += values.isWorthAsking() ? 1 : 0;
    }
    assertThat(asked).isEqualTo(150);
  }
}
