// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.Pause;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.policy.StallPolicy.Pressure;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;

/**
 * Throttles each write by the delay that the stall policy gives. A delay too short for a pause is
 * added to the thread's debt, and the thread pauses once the debt is long enough.
 *
 * <p>Threads: any.
 */
final class WriteThrottle {

  /** The shortest pause. Shorter pauses take much longer than requested. */
  private static final long PAUSE_NANOS_MIN = 100_000;

  private final StallPolicy policy;
  private final Counters counters;

  /** Written under this. */
  private volatile Pressure pressure = new Pressure(0, 0, 0);

  private volatile boolean pressed;
  private SpaceAmplificationBudget room = SpaceAmplificationBudget.ANY; // guarded by this
  private long measuredSeqno; // guarded by this: the end of the log when room was measured

  WriteThrottle(StallPolicy policy, Counters counters) {
    this.policy = policy;
    this.counters = counters;
  }

  /**
   * Sets the current pressure.
   *
   * @param garbage the garbage budget, which {@code now} does not contain
   * @param tailSeqno the end of the log
   */
  synchronized void set(Pressure now, SpaceAmplificationBudget garbage, long tailSeqno) {
    room = garbage;
    measuredSeqno = tailSeqno;
    press(now.withGarbage(garbage.pressure(0)));
  }

  /** Updates the pressure after a write. New data makes older data garbage. */
  synchronized void written(long tailSeqno) {
    long bytes = (tailSeqno - measuredSeqno) * RecordLayout.UNIT;
    press(pressure.withGarbage(room.pressure(bytes)));
  }

  /** Updates the backlog after a write or a flush. */
  synchronized void unflushed(double backlog) {
    press(pressure.withBacklog(backlog));
  }

  private void press(Pressure now) {
    pressure = now;
    pressed = policy.delayNanos(now, 1L << 20) > 0;
  }

  Pressure pressure() {
    return pressure;
  }

  /**
   * Delays a writer if necessary. A long write is charged in pieces, so the writer stops waiting
   * once the pressure is gone.
   */
  void delay(WriteScratch scratch, long bytes) {
    long left = bytes;
    while (pressed && left > 0) {
      long piece = Math.min(left, StallPolicy.PIECE_BYTES);
      left -= piece;
      scratch.owedNanos += policy.delayNanos(pressure, piece);
      if (scratch.owedNanos >= PAUSE_NANOS_MIN) {
        pause(scratch);
      }
    }
  }

  private void pause(WriteScratch scratch) {
    long pause = scratch.owedNanos;
    scratch.owedNanos = 0;
    counters.stalls.increment();
    counters.stallNanos.add(pause);
    FlightRecorder.stall(
        "throttled to the pace of background work", () -> Pause.nanos(this, pause));
  }
}
