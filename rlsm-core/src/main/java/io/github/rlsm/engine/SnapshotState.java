// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.read.ReadState;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pinned view and the seqno below which writes are visible. A snapshot and its scans share one;
 * the last holder to leave unpins the view.
 *
 * <p>Threads: any.
 */
final class SnapshotState {

  private final SnapshotRegistry snapshots;
  private final int ticket;
  private final ReadState state;
  private final int stripe;
  private final long end;
  private final AtomicInteger holds = new AtomicInteger(1);

  /** Creates a state with one hold. */
  SnapshotState(SnapshotRegistry snapshots, int ticket, ReadState state, int stripe, long end) {
    this.snapshots = snapshots;
    this.ticket = ticket;
    this.state = state;
    this.stripe = stripe;
    this.end = end;
  }

  ReadState state() {
    return state;
  }

  long end() {
    return end;
  }

  /** Takes another hold, unless the last one was given back. */
  boolean tryHold() {
    int now = holds.get();
    while (now > 0) {
      if (holds.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holds.get();
    }
    return false;
  }

  void unpin() {
    if (holds.decrementAndGet() == 0) {
      snapshots.leave(ticket);
      state.unpin(stripe);
    }
  }
}
