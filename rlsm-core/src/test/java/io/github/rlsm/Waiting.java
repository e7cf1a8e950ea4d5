// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call in a separate thread that must block until another event. A test waits until the call has
 * either ended or fallen asleep, so it needs no clock.
 */
public final class Waiting {

  private final Thread thread;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Waiting(Runnable call) {
    this.thread = new Thread(
        () -> {
          try {
            call.run();
          } catch (RuntimeException | Error e) {
            failure.set(e);
          }
        },
        "waiting");
    thread.setDaemon(true);
  }

  /** Starts a call. Returns when the call has ended or is asleep. */
  public static Waiting until(Runnable call) {
    Waiting waiting = new Waiting(call);
    waiting.thread.start();
    while (!waiting.hasEnded() && !waiting.isAsleep()) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  private boolean isAsleep() {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /** Whether the call has ended. */
  public boolean hasEnded() {
    return !thread.isAlive();
  }

  /**
   * Waits for the end of the call. Throws an error if the call hangs. If the call threw, throws an
   * error with that cause.
   */
  public void join() throws InterruptedException {
    thread.join(TimeUnit.SECONDS.toMillis(Crew.HANGING_SECONDS));
    if (!hasEnded()) {
      throw new AssertionError("the call hangs");
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError(thrown);
    }
  }
}
