// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.read.View;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A handle on a {@link FrozenMoment}, held by a snapshot or a scan. Released once, by its owner or
 * when the store closes.
 *
 * <p>Threads: any.
 */
public final class Lease {

  private final FrozenMoment moment;
  private final long sinceNanos;
  private final AtomicBoolean released = new AtomicBoolean();

  /** Creates a lease that takes over one of the caller's holds on the moment. */
  Lease(FrozenMoment moment, long sinceNanos) {
    this.moment = moment;
    this.sinceNanos = sinceNanos;
  }

  FrozenMoment moment() {
    return moment;
  }

  View view() {
    return moment.view();
  }

  /** Returns the seqno below which writes are visible. */
  long end() {
    return moment.end();
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether the lease was released. */
  public boolean isReleased() {
    return released.get();
  }

  /** Gives the hold back. Returns true for the first call only. */
  boolean release() {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    moment.letGo();
    return true;
  }
}
