// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.base.Pause;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.policy.StallPolicy.Pressure;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import java.util.concurrent.atomic.LongAdder;

/**
 * Throttles each write by the delay that the stall policy gives. A delay too short for a pause is
 * added to the thread's debt, and the thread pauses once the debt is long enough.
 *
 * <p>Threads: any.
 */
public final class WriteThrottle {

  /** The shortest pause. Shorter pauses take much longer than requested. */
  private static final long PAUSE_NANOS_MIN = 100_000;

  private final StallPolicy policy;

  /** Written under this. */
  private volatile Pressure pressure = new Pressure(0, 0, 0);

  private volatile boolean pressed;

  @GuardedBy("this")
  private SpaceAmplificationBudget room = SpaceAmplificationBudget.ANY;

  @GuardedBy("this")
  private long measuredSeqno; // the end of the log when room was measured

  private final LongAdder stalls = new LongAdder();
  private final LongAdder stallNanos = new LongAdder();

  WriteThrottle(StallPolicy policy) {
    this.policy = policy;
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
   *
   * @param owedNanos the delay that the thread owes from earlier writes
   * @param bytes the length of the write
   * @return the delay that the thread owes now, which was too short for a pause
   */
  public long delay(long owedNanos, long bytes) {
    long owed = owedNanos;
    long left = bytes;
    while (pressed && left > 0) {
      long piece = Math.min(left, StallPolicy.PIECE_BYTES);
      left -= piece;
      owed += policy.delayNanos(pressure, piece);
      if (owed >= PAUSE_NANOS_MIN) {
        pause(owed);
        owed = 0;
      }
    }
    return owed;
  }

  private void pause(long nanos) {
    countStall(nanos);
    FlightRecorder.stall(
        "throttled to the pace of background work", () -> Pause.nanos(this, nanos));
  }

  /** Counts a wait of a writer. */
  public void countStall(long nanos) {
    stalls.increment();
    stallNanos.add(nanos);
  }

  /** Returns how often writers waited. */
  public long stalls() {
    return stalls.sum();
  }

  /** Returns how long writers waited in total. */
  public long stallNanos() {
    return stallNanos.sum();
  }
}
