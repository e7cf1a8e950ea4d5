// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.concurrent.Semaphore;

/**
 * Limits the number of asynchronous calls in flight. A caller beyond the limit blocks. A call made
 * from inside a completion callback never blocks; otherwise all callback threads could wait for
 * each other and deadlock.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("serial") // Never serialized.
public final class InFlight extends Semaphore {

  private final transient ThreadLocal<Boolean> telling = ThreadLocal.withInitial(() -> false);

  /** Creates a limit of a number of calls. */
  public InFlight(int calls) {
    super(calls);
  }

  /** Takes a permit for a new call. */
  void enter() {
    if (telling.get()) {
      reducePermits(1);
    } else {
      acquireUninterruptibly();
    }
  }

  /** Returns the permit of a call that has ended and runs its callbacks. */
  void leave(Runnable tell) {
    release();
    boolean nested = telling.get();
    telling.set(true);
    try {
      tell.run();
    } finally {
      if (!nested) {
        telling.remove();
      }
    }
  }
}
