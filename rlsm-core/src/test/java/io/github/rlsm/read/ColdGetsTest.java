// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ColdGetsTest {

  private static final long SLOW = 100_000;
  private static final long FAST = 500;

  private final AtomicLong clock = new AtomicLong(1);
  private final Lookup.ColdGets gets = new Lookup.ColdGets(clock::get);
  private int count;

  private void read(int times, long nanos) {
    for (int i = 0; i < times; i++) {
      long begun = gets.begin(count++);
      clock.addAndGet(nanos);
      gets.end(begun);
    }
  }

  @Test
  void rareSlowReadsDoNotMakeColdGetsExpected() {
    for (int i = 0; i < 1_000; i++) {
      read(1, SLOW);
      read(8 * 30, FAST);
      assertThat(gets.areExpected()).isFalse();
    }
  }

  @Test
  void oneReadInEightIsTimedBefore() {
    read(24, SLOW);
    assertThat(gets.areExpected()).isFalse();
    read(1, SLOW);
    assertThat(gets.areExpected()).isTrue();
  }

  @Test
  void everyReadIsTimedWhileColdGetsAreExpected() {
    read(25, SLOW);
    read(1, FAST);
    assertThat(gets.areExpected()).isFalse();
  }

  @Test
  void fastReadsEndTheExpectation() {
    read(100, SLOW);
    assertThat(gets.areExpected()).isTrue();
    read(200, FAST);
    assertThat(gets.areExpected()).isFalse();
  }

  @Test
  void oneReadInTwentyThatWaitsKeepsTheExpectation() {
    read(100, SLOW);
    for (int i = 0; i < 1_000; i++) {
      read(19, FAST);
      read(1, SLOW);
      assertThat(gets.areExpected()).isTrue();
    }
  }
}
