// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.StoreFailedException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that no shard promises durability that depends on data which another shard can still lose
 * (I-11). A promise covers the shard's whole history, and so every cross-shard batch in it. It also
 * covers everything that precedes the other parts of these batches in their shards. {@link #force}
 * makes all of that durable before the promise.
 *
 * <p>For each shard, this class tracks its partners: the shards that share a batch with it whose
 * parts may not be durable. A promise forces every shard that is reachable through partners. A
 * batch that is written during this time may be forced without need.
 *
 * <p>No deadlock is possible. {@link PartLog#force} does not call back into this class, and the
 * lock is not held during a force. Only a flush may wait longer than a force takes, because it may
 * contain a part of a batch that other workers are still writing. These workers may wait for
 * flushes of their shards. Such a flush contains parts of earlier batches only, so this wait ends,
 * too.
 *
 * <p>Threads: any.
 */
final class CrossShardDurability {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** For each shard, the shards that may not have made shared batches durable. */
  @GuardedBy("lock")
  private final BitSet[] partners;

  /** For each shard, the GSN of its last batch of which all parts are written. */
  @GuardedBy("lock")
  private final long[] complete;

  @GuardedBy("lock")
  private @Nullable Throwable torn;

  private volatile List<PartLog> logs = List.of();

  /** Creates the state of shards in which everything is durable. */
  CrossShardDurability(int shards) {
    partners = new BitSet[shards];
    complete = new long[shards];
    for (int i = 0; i < shards; i++) {
      partners[i] = new BitSet();
    }
  }

  /**
   * Sets the last GSN of which a shard has its part. All parts up to it are durable. Called before
   * the shard is opened.
   */
  void begin(int shard, long gsn) {
    lock.lock();
    try {
      complete[shard] = gsn;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the logs when all shards are open. Before this call, no shard has partners. */
  void begin(List<PartLog> all) {
    logs = all;
  }

  /** Records that all parts of a batch are written. Called before any of its workers continues. */
  void completed(long gsn, int[] shards) {
    lock.lock();
    try {
      for (int shard : shards) {
        // Otherwise a promise would wait for a batch that is already complete.
        assert gsn > complete[shard] : "batch " + gsn + " after batch " + complete[shard];
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

  /**
   * Records that a batch is in some of its shards only. From then on, no shard promises durability.
   */
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
   * Returns once no other shard can lose data whose loss would roll back this shard's history up to
   * its part of a batch. Does not force the shard's own log.
   *
   * @throws StoreFailedException if that is impossible
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

  @GuardedBy("lock")
  private void awaitComplete(int shard, long gsn) {
    while (torn == null && complete[shard] < gsn) {
      changed.awaitUninterruptibly();
    }
    if (torn != null) {
      throw new StoreFailedException(torn);
    }
  }

  @GuardedBy("lock")
  private BitSet reachedFrom(int shard) {
    BitSet reached = new BitSet();
    BitSet next = new BitSet();
    next.set(shard);
    while (!next.isEmpty()) {
      reached.or(next);
      BitSet found = new BitSet();
      for (int each = next.nextSetBit(0); each >= 0; each = next.nextSetBit(each + 1)) {
        found.or(partners[each]);
      }
      found.andNot(reached);
      next = found;
    }
    return reached;
  }
}
