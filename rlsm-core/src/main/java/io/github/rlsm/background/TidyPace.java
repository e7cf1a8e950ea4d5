// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.policy.Plan;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spreads the work that tidies up a store without writes, while clients read. Such a job gains
 * space, and nothing for readers. So after each of them there is a pause of three times its
 * duration, and no two run at the same time. Decision 52.
 *
 * <p>Threads: one at a time, which the caller sees to, except for {@link #holdsBack} and
 * {@link #withoutPauses}, which any thread may call.
 */
final class TidyPace {

  /** The length of a pause, relative to the job before it. */
  private static final int PAUSE = 3;

  private final LongSupplier nanoClock;
  private final AtomicInteger withoutPauses = new AtomicInteger();

  /** Whether a client is reading at this moment. */
  private volatile BooleanSupplier isRead = () -> false;

  private volatile boolean holdsBack;
  private int running;
  private boolean hasRun;
  private long pauseEnd;

  TidyPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Sets how to find out whether a client is reading. Without this, none ever is. */
  void observe(BooleanSupplier isRead) {
    this.isRead = isRead;
  }

  /** Finds out whether the work of an idle store must wait. Returns {@link #holdsBack}. */
  boolean update(boolean isIdle) {
    boolean mayStart = running == 0 && (!hasRun || nanoClock.getAsLong() - pauseEnd >= 0);
    holdsBack = isIdle && !mayStart && withoutPauses.get() == 0 && isRead.getAsBoolean();
    return holdsBack;
  }

  /** Whether work was held back when {@link #update} was called last. */
  boolean holdsBack() {
    return holdsBack;
  }

  /** Runs a task. Nothing must wait while it runs. */
  void withoutPauses(Runnable task) {
    withoutPauses.incrementAndGet();
    try {
      task.run();
    } finally {
      withoutPauses.decrementAndGet();
    }
  }

  /**
   * Notes that a job of an idle store starts. Returns a task that notes its end. The task does
   * nothing if the job gains more than space.
   */
  Runnable start(Plan plan) {
    if (!onlyGainsSpace(plan)) {
      return () -> {};
    }
    running++;
    long began = nanoClock.getAsLong();
    return () -> {
      running--;
      hasRun = true;
      long now = nanoClock.getAsLong();
      pauseEnd = now + PAUSE * (now - began);
    };
  }

  private static boolean onlyGainsSpace(Plan plan) {
    return plan instanceof Plan.Clean clean
        && switch (clean.reason()) {
          case GARBAGE, LINKS, HOLES, SPACE -> true;
          case RUNS, SCANS, VALUES -> false;
        };
  }
}
