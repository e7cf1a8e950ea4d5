// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is applied to several shards, whole or not at all, whatever happens meanwhile. Each
 * worker
 *
 * <ol>
 *   <li>makes durable what its shard was told before, and waits for the others;
 *   <li>the last one to get there appends the batch to the log, which makes it happen, unless
 *       something has failed by then;
 *   <li>applies its part, together with the batch's GSN, and waits for the others.
 * </ol>
 *
 * <p>The first step is for a crash after the second: opening the store then applies the parts that
 * are missing, and nothing may be missing before them. The third step's wait keeps others from
 * seeing a part. Parts need not be forced, the log stands for them.
 *
 * <p>Threads: made and awaited by a caller; the parts belong to the workers.
 */
final class Transaction {

  /** Applies one shard's part. */
  @FunctionalInterface
  interface Part {
    void apply(int shard, KvStore store, long gsn);
  }

  private final int[] shards;
  private final ByteBuffer record;
  private final TransactionLog log;
  private final Health health;
  private final Part part;
  private final Countdown arrivals;
  private final Countdown decision = new Countdown(1);
  private final Countdown left;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private @Nullable Completion<?> completion;

  /** 0 until it happens. Written before {@link #decision} is made known, read after it. */
  private long gsn;

  /**
   * A transaction.
   *
   * @param shards the shards that take part
   * @param record the whole batch, as the log wants it
   */
  Transaction(int[] shards, ByteBuffer record, TransactionLog log, Health health, Part part) {
    this.shards = shards;
    this.record = record;
    this.log = log;
    this.health = health;
    this.part = part;
    this.arrivals = new Countdown(shards.length);
    this.left = new Countdown(shards.length);
  }

  /** The request to the shard at that place of those that take part. */
  Request part(int place) {
    return new PartRequest(shards[place]);
  }

  /** Has it end by that; before its parts are submitted. */
  void completeBy(Completion<?> end) {
    completion = end;
  }

  private void leave() {
    if (left.down() && completion != null) {
      completion.ended();
    }
  }

  /** Parks until all parts have ended; throws if it failed. */
  void await() {
    left.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw Request.rethrown(cause);
    }
  }

  private void arrive() {
    if (!arrivals.down()) {
      return;
    }
    try {
      if (failure.get() == null) {
        gsn = log.append(record);
      }
    } catch (RuntimeException | Error e) {
      failure.set(e);
      health.stopWrites(e);
    } finally {
      decision.down();
    }
  }

  private final class PartRequest extends Request {

    private final int shard;
    private boolean arrived;

    PartRequest(int shard) {
      this.shard = shard;
    }

    @Override
    Access access() {
      return Access.WRITES;
    }

    @Override
    void run(KvStore store) {
      try {
        store.sync();
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      arrived = true;
      arrive();
      decision.await();
      if (gsn > 0) {
        apply(store);
      } else {
        finish();
        leave();
      }
    }

    private void apply(KvStore store) {
      try {
        part.apply(shard, store, gsn);
      } catch (RuntimeException e) {
        fail(e);
        left.await();
        return;
      }
      finish();
      leave();
      left.await();
    }

    @Override
    void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      if (!arrived) {
        arrived = true;
        arrive();
      } else if (gsn > 0) {
        health.tear(cause);
      }
      leave();
    }
  }
}
