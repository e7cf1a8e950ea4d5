// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.policy.StallPolicy.Pressure;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriteThrottleTest {

  /** Full pressure costs a nanosecond per byte. */
  private static final StallPolicy.Limits LIMITS =
      new StallPolicy.Limits(1000, 10, 1000, 0.5, 1_000_000_000, 150_000);

  private final WriteThrottle throttle = new WriteThrottle(new StallPolicy(LIMITS));
  private long owedNanos;

  private void delay(long bytes) {
    owedNanos = throttle.delay(owedNanos, bytes);
  }

  @Test
  void noWriterWaitsBelowTheSoftLimit() {
    delay(1 << 20);
    throttle.set(new Pressure(499, 4, 499), SpaceAmplificationBudget.ANY, 0);
    delay(1 << 20);
    assertThat(owedNanos).isZero();
    assertThat(throttle.stalls()).isZero();
  }

  @Test
  void shortDelaysAreOwedUntilTheyAreWorthAPause() {
    throttle.set(new Pressure(0, 0, 1000), SpaceAmplificationBudget.ANY, 0);
    delay(60_000);
    assertThat(owedNanos).isEqualTo(60_000);
    assertThat(throttle.stalls()).isZero();
    delay(60_000);
    assertThat(throttle.stalls()).isEqualTo(1);
    assertThat(throttle.stallNanos()).isGreaterThanOrEqualTo(100_000);
    assertThat(throttle.stallNanos() + owedNanos).isEqualTo(120_000);
    delay(1_000_000);
    assertThat(throttle.stallNanos() + owedNanos).isEqualTo(1_120_000);
  }

  /** If each write had the same longest delay, large writes would hardly be slowed. */
  @Test
  void aBatchWaitsAsLongAsItsBytesInSmallWrites() {
    throttle.set(new Pressure(0, 0, 1000), SpaceAmplificationBudget.ANY, 0);
    for (int i = 0; i < 100; i++) {
      delay(1_000);
    }
    long inSmallWrites = throttle.stallNanos() + owedNanos;
    delay(100_000);
    assertThat(throttle.stallNanos() + owedNanos).isEqualTo(2 * inSmallWrites);
  }

  /** An interrupt must not end a writer's delay, and must stay pending. */
  @Test
  void interruptedWritersWaitAsLongAsOthers() throws Exception {
    throttle.set(new Pressure(0, 0, 1000), SpaceAmplificationBudget.ANY, 0);
    AtomicLong waited = new AtomicLong();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    new Crew()
        .add(1, () -> {
          Thread.currentThread().interrupt();
          long began = System.nanoTime();
          throttle.delay(0, 20_000_000);
          waited.set(System.nanoTime() - began);
          stillInterrupted.set(Thread.interrupted());
        })
        .run();
    assertThat(waited.get()).isGreaterThanOrEqualTo(19_000_000);
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void delaysEndWithThePressure() {
    throttle.set(new Pressure(0, 10, 0), SpaceAmplificationBudget.ANY, 0);
    assertThat(throttle.pressure().l0Runs()).isEqualTo(10);
    delay(1 << 20);
    long stalls = throttle.stalls();
    assertThat(stalls).isPositive();
    throttle.set(new Pressure(0, 1, 0), SpaceAmplificationBudget.ANY, 0);
    delay(1 << 20);
    assertThat(throttle.stalls()).isEqualTo(stalls);
  }

  @Test
  void unflushedBytesRaiseThePressure() {
    throttle.set(new Pressure(400, 0, 0), SpaceAmplificationBudget.ANY, 0);
    throttle.unflushed(1000);
    delay(60_000);
    assertThat(owedNanos).isEqualTo(60_000);
    throttle.unflushed(450);
    delay(60_000);
    assertThat(owedNanos).isEqualTo(60_000);
  }
}
