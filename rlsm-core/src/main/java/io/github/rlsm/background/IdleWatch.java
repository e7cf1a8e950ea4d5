// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.thread.Scheduler;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Detects that writes have stopped. Compares the end of the log at regular intervals, which costs
 * writers nothing. Calls the listener once if the end has not moved between two looks.
 *
 * <p>Threads: the flush thread only.
 */
final class IdleWatch {

  private final Scheduler scheduler;
  private final long nanos;
  private final LongSupplier tail;
  private final LongConsumer whenIdle;
  private long seen;
  private boolean idle;

  /**
   * Creates a watch that has not started.
   *
   * @param nanos the interval between looks
   * @param tail returns the end of the log
   * @param whenIdle receives the end of the log when no write happened between two looks
   */
  IdleWatch(Scheduler scheduler, long nanos, LongSupplier tail, LongConsumer whenIdle) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    this.tail = tail;
    this.whenIdle = whenIdle;
    this.seen = tail.getAsLong();
  }

  /** Starts the watch. It runs until the scheduler is closed. */
  void start() {
    scheduler.later(nanos, this::look);
  }

  private void look() {
    long now = tail.getAsLong();
    if (now != seen) {
      seen = now;
      idle = false;
    } else if (!idle) {
      idle = true;
      whenIdle.accept(now);
    }
    start();
  }
}
