// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.Pause;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.policy.GarbageRoom;
import io.github.rlsm.policy.Pressure;
import io.github.rlsm.policy.StallPolicy;

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

  /** Written under this. */
  private volatile Pressure pressure = new Pressure(0, 0, 0);

  private volatile boolean pressed;
  private GarbageRoom room = GarbageRoom.ANY; // guarded by this
  private long measuredSeqno; // guarded by this: where the log ended when room was measured

  Brake(StallPolicy policy, Counters counters) {
    this.policy = policy;
    this.counters = counters;
  }

  /**
   * Says how much work lies ahead now.
   *
   * @param garbage what garbage there may be, beside what {@code now} says
   * @param tailSeqno where the log ends
   */
  synchronized void set(Pressure now, GarbageRoom garbage, long tailSeqno) {
    room = garbage;
    measuredSeqno = tailSeqno;
    press(now.withGarbage(garbage.pressure(0)));
  }

  /** Some more was written: it has made other things garbage. */
  synchronized void written(long tailSeqno) {
    long bytes = (tailSeqno - measuredSeqno) * RecordLayout.UNIT;
    press(pressure.withGarbage(room.pressure(bytes)));
  }

  /** Something was written, or flushed. */
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
   * Holds a writer up if need be. A long write is charged piece by piece: it stops waiting when the
   * pressure is gone.
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
        "slowed down to the pace of the background", () -> Pause.nanos(this, pause));
  }
}
