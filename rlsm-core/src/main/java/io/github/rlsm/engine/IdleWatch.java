// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Notices that nobody writes any more: looks at the log's end every so often, which costs writers
 * nothing, and when it stands where it stood at the last look, says so once.
 *
 * <p>Threads: the flushing one.
 */
final class IdleWatch {

  private final Scheduler scheduler;
  private final long nanos;
  private final LongSupplier tail;
  private final LongConsumer whenIdle;
  private long seen;
  private boolean idle;

  /**
   * A watch that does not look yet.
   *
   * @param nanos between looks
   * @param tail the log's end
   * @param whenIdle is given the log's end when nobody has written between two looks
   */
  IdleWatch(Scheduler scheduler, long nanos, LongSupplier tail, LongConsumer whenIdle) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    this.tail = tail;
    this.whenIdle = whenIdle;
    this.seen = tail.getAsLong();
  }

  /** Looks from now on, until the scheduler is closed. */
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
