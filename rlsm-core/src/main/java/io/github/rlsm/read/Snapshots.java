// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.versionset.PinCount;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The set of open snapshots.
 *
 * <p>Threads: any.
 */
public final class Snapshots {

  private final ReadStates readStates;
  private final PublishedSeqno published;
  private final SnapshotRegistry registry;
  private final Set<SnapshotHandle> open = ConcurrentHashMap.newKeySet();

  /** Creates an empty set. */
  public Snapshots(ReadStates readStates, PublishedSeqno published, SnapshotRegistry registry) {
    this.readStates = readStates;
    this.published = published;
    this.registry = registry;
  }

  /**
   * Takes a snapshot handle on the current state. First registers the snapshot for writers, then
   * reads its seqno (I-3), and then waits for writes below the seqno that are still in flight.
   */
  public SnapshotHandle take() {
    int ticket = registry.enter();
    int stripe = PinCount.stripe();
    ReadState state;
    try {
      state = readStates.pin(stripe);
    } catch (StoreClosedException e) {
      registry.leave(ticket);
      throw e;
    }
    long end = state.active().log().endSeqno();
    registry.set(ticket, Math.max(1, end));
    SnapshotHandle.State snapshot = new SnapshotHandle.State(registry, ticket, state, stripe, end);
    try {
      published.awaitSettled(end);
    } catch (RuntimeException | Error e) {
      snapshot.unpin();
      throw e;
    }
    return open(snapshot);
  }

  /** Returns another handle on the same state, to be released separately. */
  public SnapshotHandle share(SnapshotHandle handle) {
    return open(handle.hold());
  }

  private SnapshotHandle open(SnapshotHandle.State snapshot) {
    SnapshotHandle handle = new SnapshotHandle(snapshot);
    open.add(handle);
    return handle;
  }

  /** Releases a snapshot handle. Returns true for the first call only. */
  public boolean release(SnapshotHandle handle) {
    if (!handle.release()) {
      return false;
    }
    open.remove(handle);
    return true;
  }

  /** Releases all handles. */
  public void releaseAll() {
    open.forEach(this::release);
  }

  /** Returns the number of open handles. */
  public int count() {
    return open.size();
  }
}
