// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.worker.Countdown;
import io.github.rlsm.shard.worker.Health;
import io.github.rlsm.shard.worker.Request;
import java.nio.ByteBuffer;

/**
 * A transaction over shards of any engine. Each worker
 *
 * <ol>
 *   <li>makes all earlier writes of its shard durable, and waits for the others;
 *   <li>if it is the last to arrive, appends the batch to the log, unless a worker has failed: the
 *       batch takes effect when its record is durable;
 *   <li>applies its part, together with the batch's GSN, and waits for the others.
 * </ol>
 *
 * <p>The first step is needed for a crash after the second: opening the store then applies the
 * missing parts, and no write may be missing before them. The wait in the third step keeps readers
 * from seeing some parts only. Parts need not be forced, because the log can replay them.
 *
 * <p>Threads: see {@link CommitProtocol.Transaction}.
 *
 * <p>Keeps invariant I-9 of ARCHITECTURE.md.
 */
final class RedoTransaction extends CommitProtocol.Transaction {

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

  /**
   * The GSN, or 0 if the batch has not taken effect. Written before {@link #decision}, read after
   * it.
   */
  private long gsn;

  /**
   * Creates a transaction.
   *
   * @param shards the shards that take part
   * @param record the whole batch, encoded for the log
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
  public void admit() {
    // The log assigns the GSN.
  }

  @Override
  public Request part(int place) {
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
    public Access access() {
      return Access.WRITES;
    }

    @Override
    public void run(KvStore store) {
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
    protected void failed(Throwable cause) {
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
