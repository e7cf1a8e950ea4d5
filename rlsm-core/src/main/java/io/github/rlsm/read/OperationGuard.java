// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.Pause;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.versionset.PinCount;

/**
 * Counts running operations, so that a close can wait for them and reject later ones.
 *
 * <p>A thread that runs out of stack may be unable to leave. Such an operation is counted as lost
 * by a plain field store, because another call would overflow the stack again. Otherwise a close
 * would wait for the operation forever.
 *
 * <p>Threads: any; entering takes no lock.
 */
public final class OperationGuard {

  /** The interval at which a close counts again. Polling saves operations the cost of a wake-up. */
  private static final long PAUSE_NANOS = 50_000;

  private final PinCount inside = new PinCount();

  /** The number of operations that ended but are still counted in {@link #inside}. */
  private volatile int lost;

  /**
   * Starts an operation. Returns the stripe for {@link #leave}.
   *
   * @throws StoreClosedException if the gate is closed
   */
  public int enter() {
    int stripe = PinCount.stripe();
    if (!inside.tryPin(stripe)) {
      throw new StoreClosedException("store");
    }
    return stripe;
  }

  /** Ends an operation. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // an atomic update is a call
  public void leave(int stripe) {
    try {
      inside.release(stripe);
    } catch (StackOverflowError e) {
      lost = lost + 1;
      throw e;
    }
  }

  /** Rejects further operations, and waits until all running ones have ended. Call this once. */
  public void closeAndAwait() {
    inside.retire();
    // The order matters: from now on users only decrease, and lost only increases.
    while (inside.users() > lost) {
      Pause.nanos(this, PAUSE_NANOS);
    }
  }
}
