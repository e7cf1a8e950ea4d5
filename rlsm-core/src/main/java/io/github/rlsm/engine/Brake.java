// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.policy.Pressure;
import io.github.rlsm.policy.StallPolicy;
import java.util.concurrent.locks.LockSupport;

/**
 * Slows writers down, write by write, as the stall policy says. Delays shorter than a pause can be
 * are owed, by thread, until they add up to one.
 *
 * <p>Threads: any.
 */
final class Brake {

  /** Shorter pauses take much longer than asked for. */
  private static final long PAUSE_NANOS_MIN = 100_000;

  private final StallPolicy policy;
  private final Counters counters;
  private volatile Pressure pressure = new Pressure(0, 0, 0);
  private volatile boolean pressed;

  Brake(StallPolicy policy, Counters counters) {
    this.policy = policy;
    this.counters = counters;
  }

  /** Says how much work lies ahead now. */
  void set(Pressure now) {
    pressure = now;
    pressed = policy.delayNanos(now, 1L << 20) > 0;
  }

  Pressure pressure() {
    return pressure;
  }

  /** Whether writers must wait until the pressure falls. */
  boolean stops() {
    return pressed && policy.stops(pressure);
  }

  /** Holds a writer up if need be. */
  void delay(WriteScratch scratch, long bytes) {
    if (!pressed) {
      return;
    }
    scratch.owedNanos += policy.delayNanos(pressure, bytes);
    if (scratch.owedNanos >= PAUSE_NANOS_MIN) {
      long pause = scratch.owedNanos;
      scratch.owedNanos = 0;
      counters.stalls.increment();
      counters.stallNanos.add(pause);
      FlightRecorder.stall(
          "slowed down to the pace of the background", () -> LockSupport.parkNanos(this, pause));
    }
  }
}
