// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.version.KeyspaceCatalog;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handle on the state that a snapshot or a scan sees. Released once, by its owner or when the
 * store closes.
 *
 * <p>Threads: any.
 */
public final class SnapshotHandle {

  private final State snapshot;
  private final AtomicBoolean released = new AtomicBoolean();

  /** Creates a snapshot handle that takes over one of the caller's holds on the state. */
  SnapshotHandle(State snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * A pinned read state and the seqno below which writes are visible. A snapshot and its scans
   * share one; the last holder to leave unpins the read state.
   *
   * <p>Threads: any.
   */
  static final class State {

    private final SnapshotRegistry snapshots;
    private final int ticket;
    private final ReadState state;
    private final int stripe;
    private final long end;
    private final AtomicInteger holds = new AtomicInteger(1);

    /** Creates a state with one hold. */
    State(SnapshotRegistry snapshots, int ticket, ReadState state, int stripe, long end) {
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

  State snapshot() {
    return snapshot;
  }

  ReadState state() {
    return snapshot.state();
  }

  /** Returns the seqno below which writes are visible. */
  long end() {
    return snapshot.end();
  }

  /** Returns the keyspaces of the state. */
  public KeyspaceCatalog keyspaces() {
    return state().files().version().keyspaces();
  }

  /** Whether a keyspace was already dropped when the handle was taken. */
  public boolean isDropped(int id) {
    KeyspaceCatalog then = keyspaces();
    return id < then.nextId() && !then.isLive(id);
  }

  /** Whether the handle was released. */
  public boolean isReleased() {
    return released.get();
  }

  /**
   * Takes another hold on the state. The hold outlives the handle; the caller gives it back.
   *
   * @throws StoreClosedException if the handle was released
   */
  State hold() {
    if (isReleased() || !snapshot.tryHold()) {
      throw new StoreClosedException("snapshot");
    }
    return snapshot;
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
