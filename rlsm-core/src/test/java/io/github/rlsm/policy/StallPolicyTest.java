// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.policy.StallPolicy.Pressure;
import org.junit.jupiter.api.Test;

class StallPolicyTest {

  private static final long DELAY_MAX = 1_000_000;
  private static final StallPolicy.Limits SETTINGS =
      new StallPolicy.Limits(1_000, 20, 50_000, 0.5, 1_000_000, DELAY_MAX);

  private final StallPolicy policy = new StallPolicy(SETTINGS);

  @Test
  void noWriterWaitsBelowTheSoftLimits() {
    assertThat(policy.delayNanos(new Pressure(0, 0, 0), 1 << 20)).isZero();
    assertThat(policy.delayNanos(new Pressure(500, 10, 25_000), 1 << 20)).isZero();
  }

  @Test
  void delayFollowsTheNearestLimit() {
    // Half way: 0.125 of the slowest rate's 1,000 ns per byte.
    assertThat(policy.delayNanos(new Pressure(750, 0, 0), 100)).isEqualTo(12_500);
    assertThat(policy.delayNanos(new Pressure(0, 15, 0), 100)).isEqualTo(12_500);
    assertThat(policy.delayNanos(new Pressure(600, 3, 37_500), 100)).isEqualTo(12_500);
  }

  @Test
  void delaysAreCapped() {
    assertThat(policy.delayNanos(new Pressure(1000, 0, 0), StallPolicy.PIECE_BYTES))
        .isEqualTo(DELAY_MAX);
    assertThat(policy.delayNanos(new Pressure(0, 0, Long.MAX_VALUE), 100)).isEqualTo(100_000);
  }

  /** Otherwise a store that is written in batches exceeds its space limit. */
  @Test
  void aLongWriteIsChargedForAllItsBytes() {
    for (double garbage : new double[] {0.5, 1, 3}) {
      Pressure pressure = new Pressure(0, 0, 0).withGarbage(garbage);
      long piece = policy.delayNanos(pressure, StallPolicy.PIECE_BYTES);
      assertThat(policy.delayNanos(pressure, 1000L * StallPolicy.PIECE_BYTES))
          .isBetween(1000 * piece, 1000 * (piece + 1));
    }
  }

  @Test
  void noPressureEverShortensADelay() {
    long longest = DELAY_MAX * (1 + 100_100 / StallPolicy.PIECE_BYTES);
    SeededRuns.run(5_000, random -> {
      Pressure low =
          new Pressure(random.nextInt(1_200), random.nextInt(25), random.nextInt(60_000));
      Pressure high = new Pressure(
          low.backlog() + random.nextInt(300),
          low.l0Runs() + random.nextInt(3),
          low.debtBytes() + random.nextInt(9_000));
      long bytes = random.nextInt(100_000);
      long delay = policy.delayNanos(low, bytes);
      assertThat(policy.delayNanos(high, bytes + random.nextInt(100))).isBetween(delay, longest);
    });
  }

  @Test
  void delaysGrowWithoutAJump() {
    long before = 0;
    for (int unflushed = 0; unflushed <= 1_000; unflushed++) {
      long delay = policy.delayNanos(new Pressure(unflushed, 0, 0), 100);
      assertThat(delay - before).isBetween(0L, 700L);
      before = delay;
    }
    assertThat(before).isEqualTo(100_000);
  }

  @Test
  void writersNearlyStopBeyondTheSpaceLimit() {
    Pressure none = new Pressure(0, 0, 0);
    assertThat(policy.delayNanos(none.withGarbage(1), 100)).isEqualTo(100_000);
    assertThat(policy.delayNanos(none.withGarbage(2), 100)).isEqualTo(800_000);
    assertThat(policy.delayNanos(none.withGarbage(2), StallPolicy.PIECE_BYTES))
        .isEqualTo(8 * DELAY_MAX);
    assertThat(policy.delayNanos(none.withGarbage(3), 100)).isEqualTo(2_700_000);
    assertThat(policy.delayNanos(none.withGarbage(99), 100)).isEqualTo(2_700_000);
  }

  @Test
  void invalidLimitsAreRefused() {
    assertThatThrownBy(() -> new StallPolicy.Limits(0, 20, 1, 0.5, 1, 0))
        .isInstanceOf(InvalidOptionsException.class);
    assertThatThrownBy(() -> new StallPolicy.Limits(1, 20, 1, 1.0, 1, 0))
        .isInstanceOf(InvalidOptionsException.class);
    assertThatThrownBy(() -> new StallPolicy.Limits(1, 20, 1, Double.NaN, 1, 0))
        .isInstanceOf(InvalidOptionsException.class);
  }
}
