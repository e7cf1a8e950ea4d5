// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.read.View;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A view held for longer than one call, and the seqno below which it is seen: what a snapshot or a scan
 * reads from. Released once, by its owner or by the store when that closes.
 *
 * <p>Threads: any.
 */
public final class Lease {

  private final View view;
  private final int stripe;
  private final int ticket;
  private final long end;
  private final long sinceNanos;
  private final AtomicBoolean released = new AtomicBoolean();

  Lease(View view, int stripe, int ticket, long end, long sinceNanos) {
    this.view = view;
    this.stripe = stripe;
    this.ticket = ticket;
    this.end = end;
    this.sinceNanos = sinceNanos;
  }

  View view() {
    return view;
  }

  int ticket() {
    return ticket;
  }

  /** Seqnos below this are seen. */
  long end() {
    return end;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether it may no longer be read from. */
  public boolean isReleased() {
    return released.get();
  }

  /** Lets the view go; true for the one call that does. */
  boolean release() {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    view.unpin(stripe);
    return true;
  }
}
