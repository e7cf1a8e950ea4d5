// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The set of open leases.
 *
 * <p>Threads: any.
 */
final class Leases {

  private final EngineParts parts;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();

  Leases(EngineParts parts) {
    this.parts = parts;
  }

  /**
   * Takes a lease on the current state. First registers the snapshot for writers, then reads its
   * seqno (I-3), and then waits for writes below the seqno that are still in flight.
   */
  Lease take() {
    int ticket = parts.snapshots.enter();
    int stripe = PinCount.stripe();
    View view;
    try {
      view = parts.views.pin(stripe);
    } catch (StoreClosedException e) {
      parts.snapshots.leave(ticket);
      throw e;
    }
    long end = view.active().log().endSeqno();
    parts.snapshots.set(ticket, Math.max(1, end));
    FrozenMoment moment = new FrozenMoment(parts.snapshots, ticket, view, stripe, end);
    try {
      parts.published.awaitSettled(end);
    } catch (RuntimeException | Error e) {
      moment.letGo();
      throw e;
    }
    return open(moment);
  }

  /** Returns another lease on the same moment, to be released separately. */
  Lease share(Lease lease) {
    return open(hold(lease));
  }

  /**
   * Takes another hold on the moment of a lease. The hold outlives the lease; the caller gives it
   * back.
   */
  FrozenMoment hold(Lease lease) {
    FrozenMoment moment = lease.moment();
    if (lease.isReleased() || !moment.tryHold()) {
      throw new StoreClosedException("snapshot");
    }
    return moment;
  }

  private Lease open(FrozenMoment moment) {
    Lease lease = new Lease(moment, now());
    open.add(lease);
    return lease;
  }

  /** Releases a lease. Returns true for the first call only. */
  boolean release(Lease lease) {
    if (!lease.release()) {
      return false;
    }
    open.remove(lease);
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
        .map(lease -> now - lease.sinceNanos())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private long now() {
    return parts.environment.nanoClock().getAsLong();
  }
}
