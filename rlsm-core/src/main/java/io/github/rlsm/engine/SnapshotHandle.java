// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.read.ReadState;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A handle on a {@link SnapshotState}, held by a snapshot or a scan. Released once, by its owner or
 * when the store closes.
 *
 * <p>Threads: any.
 */
public final class SnapshotHandle {

  private final SnapshotState snapshot;
  private final long sinceNanos;
  private final AtomicBoolean released = new AtomicBoolean();

  /** Creates a snapshot handle that takes over one of the caller's holds on the state. */
  SnapshotHandle(SnapshotState snapshot, long sinceNanos) {
    this.snapshot = snapshot;
    this.sinceNanos = sinceNanos;
  }

  SnapshotState snapshot() {
    return snapshot;
  }

  ReadState state() {
    return snapshot.state();
  }

  /** Returns the seqno below which writes are visible. */
  long end() {
    return snapshot.end();
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether the handle was released. */
  public boolean isReleased() {
    return released.get();
  }

  /** Gives the hold back. Returns true for the first call only. */
  boolean release() {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    snapshot.unpin();
    return true;
  }
}
