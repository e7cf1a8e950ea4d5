// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.versionset.PinCount;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The set of open snapshots.
 *
 * <p>Threads: any.
 */
final class Snapshots {

  private final EngineParts parts;
  private final Set<SnapshotHandle> open = ConcurrentHashMap.newKeySet();

  Snapshots(EngineParts parts) {
    this.parts = parts;
  }

  /**
   * Takes a snapshot handle on the current state. First registers the snapshot for writers, then
   * reads its seqno (I-3), and then waits for writes below the seqno that are still in flight.
   */
  SnapshotHandle take() {
    int ticket = parts.snapshots.enter();
    int stripe = PinCount.stripe();
    ReadState state;
    try {
      state = parts.readStates.pin(stripe);
    } catch (StoreClosedException e) {
      parts.snapshots.leave(ticket);
      throw e;
    }
    long end = state.active().log().endSeqno();
    parts.snapshots.set(ticket, Math.max(1, end));
    SnapshotState snapshot = new SnapshotState(parts.snapshots, ticket, state, stripe, end);
    try {
      parts.published.awaitSettled(end);
    } catch (RuntimeException | Error e) {
      snapshot.unpin();
      throw e;
    }
    return open(snapshot);
  }

  /** Returns another handle on the same state, to be released separately. */
  SnapshotHandle share(SnapshotHandle handle) {
    return open(hold(handle));
  }

  /**
   * Takes another hold on the state of a snapshot handle. The hold outlives the handle; the caller
   * gives it back.
   */
  SnapshotState hold(SnapshotHandle handle) {
    SnapshotState snapshot = handle.snapshot();
    if (handle.isReleased() || !snapshot.tryHold()) {
      throw new StoreClosedException("snapshot");
    }
    return snapshot;
  }

  private SnapshotHandle open(SnapshotState snapshot) {
    SnapshotHandle handle = new SnapshotHandle(snapshot, now());
    open.add(handle);
    return handle;
  }

  /** Resnapshots a snapshot handle. Returns true for the first call only. */
  boolean release(SnapshotHandle handle) {
    if (!handle.release()) {
      return false;
    }
    open.remove(handle);
    return true;
  }

  void releaseAll() {
    open.forEach(this::release);
  }

  int count() {
    return open.size();
  }

  List<Long> agesNanos() {
    long now = now();
    return open.stream()
        .map(handle -> now - handle.sinceNanos())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private long now() {
    return parts.environment.nanoClock().getAsLong();
  }
}
