// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.Semaphore;

/**
 * Bounds how many asynchronous calls there are that nobody has been told the end of. Who makes one
 * more waits; but not who makes it while he is told the end of another: else those who tell could
 * all be waiting, and nobody would tell on.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("serial") // Never serialised.
final class InFlight extends Semaphore {

  private final transient ThreadLocal<Boolean> telling = ThreadLocal.withInitial(() -> false);

  InFlight(int calls) {
    super(calls);
  }

  /** Another call begins. */
  void enter() {
    if (telling.get()) {
      reducePermits(1);
    } else {
      acquireUninterruptibly();
    }
  }

  /** A call is over; tells whom it concerns. */
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
