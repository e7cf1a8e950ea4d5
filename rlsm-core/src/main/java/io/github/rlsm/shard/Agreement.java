// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.StoreFailedException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no shard promises what another may still lose. A shard that promises something
 * promises all of its history before, and so all batches over several shards in it, and so all that
 * those come behind in their other shards. Before it does, the other parts of all these are forced.
 *
 * <p>It knows for each shard which others it has had batches in common with since the last time
 * that those were found durable; the shards to be forced are all that can be reached that way. What
 * is being written meanwhile is at worst forced without need.
 *
 * <p>Forcing a log asks for nobody's agreement, and the lock is never held during it; so nobody
 * waits here for someone who waits here. Only a flush may wait for more than a force: for the other
 * workers to write their parts of a batch whose part it has. Those may wait for flushes of their
 * own, which have no part of that batch yet but only of earlier ones; so that wait, too, has an
 * end.
 *
 * <p>Threads: any.
 */
final class Agreement {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** For each shard the others that may not have made durable what they share; guarded by lock. */
  private final BitSet[] partners;

  /** For each shard the last batch of which all parts are written; guarded by lock. */
  private final long[] complete;

  private @Nullable Throwable torn; // guarded by lock

  private volatile List<PartLog> logs = List.of();

  /** Of shards in which all is durable. */
  Agreement(int shards) {
    partners = new BitSet[shards];
    complete = new long[shards];
    for (int i = 0; i < shards; i++) {
      partners[i] = new BitSet();
    }
  }

  /** A shard has parts up to that one, all of them durable. Before the shard is opened. */
  void begin(int shard, long gsn) {
    lock.lock();
    try {
      complete[shard] = gsn;
    } finally {
      lock.unlock();
    }
  }

  /** The shards are open. Until now none of them has got anything to agree on. */
  void begin(List<PartLog> all) {
    logs = all;
  }

  /** All parts of a batch are written. To be called before any of its shards goes on. */
  void completed(long gsn, int[] shards) {
    lock.lock();
    try {
      for (int shard : shards) {
        complete[shard] = gsn;
        for (int other : shards) {
          partners[shard].set(other);
        }
        partners[shard].clear(shard);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A batch is there in part: nobody promises anything any more. */
  void tear(Throwable cause) {
    lock.lock();
    try {
      torn = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    logs.forEach(log -> log.fail(cause));
  }

  /**
   * Returns once no other shard can lose what would take back a shard's history up to its part of a
   * batch. Its own log is its own affair.
   *
   * @throws StoreFailedException if that cannot be had
   */
  void force(int shard, long gsn) {
    BitSet reached;
    long seen;
    lock.lock();
    try {
      awaitComplete(shard, gsn);
      if (partners[shard].isEmpty()) {
        return;
      }
      reached = reachedFrom(shard);
      seen = complete[shard];
    } finally {
      lock.unlock();
    }
    reached.clear(shard);
    reached.stream().forEach(other -> logs.get(other).force());
    lock.lock();
    try {
      if (complete[shard] == seen) {
        partners[shard].clear();
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitComplete(int shard, long gsn) {
    while (torn == null && complete[shard] < gsn) {
      changed.awaitUninterruptibly();
    }
    if (torn != null) {
      throw new StoreFailedException(torn);
    }
  }

  private BitSet reachedFrom(int shard) {
    BitSet reached = new BitSet();
    BitSet next = new BitSet();
    next.set(shard);
    while (!next.isEmpty()) {
      reached.or(next);
      BitSet found = new BitSet();
      next.stream().forEach(each -> found.or(partners[each]));
      found.andNot(reached);
      next = found;
    }
    return reached;
  }
}
