// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColdValuesTest {

  private static final long SLOW = 100_000;
  private static final long FAST = 500;

  private final ColdValues values = new ColdValues();

  @Test
  void oneSlowReadIsChance() {
    values.noteRead(SLOW);
    assertThat(values.areExpected()).isFalse();
    values.noteRead(SLOW);
    assertThat(values.areExpected()).isTrue();
  }

  @Test
  void manyFastReadsEndIt() {
    for (int i = 0; i < 100; i++) {
      values.noteRead(SLOW);
    }
    int fast = 0;
    while (values.areExpected()) {
      values.noteRead(FAST);
      fast++;
    }
    assertThat(fast).isBetween(10, 100);
    assertThat(values.isWorthAsking()).isFalse();
  }

  @Test
  void everySoOftenABatchIsReadWithoutAsking() {
    values.noteRead(SLOW);
    values.noteRead(SLOW);
    int asked = 0;
    for (int i = 0; i < 160; i++) {
      asked += values.isWorthAsking() ? 1 : 0;
    }
    assertThat(asked).isEqualTo(150);
  }
}
