// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.Pause;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.version.PinCount;

/**
 * Counts the operations under way, so that closing can wait for them and refuse later ones.
 *
 * <p>A thread that runs out of stack may be unable to leave. It is counted as lost, by the store to
 * a field, because a call would fail again; otherwise closing would wait for it without end.
 *
 * <p>Threads: any; passing takes no lock.
 */
final class Gate {

  /** How long closing waits before it counts again. No operation spends time to wake it. */
  private static final long PAUSE_NANOS = 50_000;

  private final PinCount inside = new PinCount();

  /** Operations that are counted in {@link #inside} although they have ended. */
  private volatile int lost;

  /**
   * Enters. Returns the stripe to leave by.
   *
   * @throws StoreClosedException if the gate is closed
   */
  int enter() {
    int stripe = PinCount.stripe();
    if (!inside.tryPin(stripe)) {
      throw new StoreClosedException("store");
    }
    return stripe;
  }

  /** Ends an operation. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // an atomic update is a call
  void leave(int stripe) {
    try {
      inside.release(stripe);
    } catch (StackOverflowError e) {
      lost = lost + 1;
      throw e;
    }
  }

  /** Refuses further operations, and waits until all have ended. To be called once. */
  void closeAndAwait() {
    inside.retire();
    // In this order: users become fewer from now on, lost ones more.
    while (inside.users() > lost) {
      Pause.nanos(this, PAUSE_NANOS);
    }
  }
}
