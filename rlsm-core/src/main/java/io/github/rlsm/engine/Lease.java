// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.read.View;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to read one {@link FrozenMoment}: what a snapshot or a scan holds. Released once, by
 * its owner or by the store when that closes.
 *
 * <p>Threads: any.
 */
public final class Lease {

  private final FrozenMoment moment;
  private final long sinceNanos;
  private final AtomicBoolean released = new AtomicBoolean();

  /** A lease on a moment of which the caller has one hold, which becomes the lease's. */
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

  /** Seqnos below this are seen. */
  long end() {
    return moment.end();
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether it may no longer be read from. */
  public boolean isReleased() {
    return released.get();
  }

  /** Gives the hold back; true for the one call that does. */
  boolean release() {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    moment.letGo();
    return true;
  }
}
