// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import java.nio.ByteBuffer;

/**
 * A transaction over shards of any kind. Each worker
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
 * <p>Threads: see {@link Transaction}.
 */
final class RedoTransaction extends Transaction {

  /** Applies one shard's part. */
  @FunctionalInterface
  interface Part {
    void apply(int shard, KvStore store, long gsn);
  }

  private final ByteBuffer record;
  private final TransactionLog log;
  private final Health health;
  private final Part part;
  private final Countdown arrivals;
  private final Countdown decision = new Countdown(1);

  /** 0 until it happens. Written before {@link #decision} is made known, read after it. */
  private long gsn;

  /**
   * A transaction.
   *
   * @param shards the shards that take part
   * @param record the whole batch, as the log wants it
   */
  RedoTransaction(int[] shards, ByteBuffer record, TransactionLog log, Health health, Part part) {
    super(shards);
    this.record = record;
    this.log = log;
    this.health = health;
    this.part = part;
    this.arrivals = new Countdown(shards.length);
  }

  @Override
  void admit() {
    // It gets its number from the log.
  }

  @Override
  Request part(int place) {
    return new PartRequest(shards()[place]);
  }

  private void arrive() {
    if (!arrivals.down()) {
      return;
    }
    try {
      if (failure() == null) {
        gsn = log.append(record);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
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
        awaitAll();
        return;
      }
      finish();
      leave();
      awaitAll();
    }

    @Override
    void failed(Throwable cause) {
      RedoTransaction.this.failed(cause);
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
