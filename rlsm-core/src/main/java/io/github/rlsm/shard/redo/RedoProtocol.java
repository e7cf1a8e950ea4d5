// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.ShardIdentity;
import io.github.rlsm.shard.SplitBatch;
import io.github.rlsm.shard.worker.Countdown;
import io.github.rlsm.shard.worker.Health;
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.Shards;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes cross-shard batches to a redo log first, for shards of any engine.
 *
 * <p>Threads: any.
 *
 * <p>Keeps invariant I-9 of ARCHITECTURE.md.
 */
public final class RedoProtocol implements CommitProtocol {

  private final TransactionLog log;

  private final long storeId;
  private final List<Keyspace> identityKeyspaces;
  private final Shards shards;
  private final LongAdder identityWrites = new LongAdder();

  /** Creates the protocol over open shards. */
  public RedoProtocol(TransactionLog log, Shards shards) {
    this.log = log;
    this.storeId = log.head().storeId();
    this.shards = shards;
    this.identityKeyspaces = shards.stores().stream()
        .map(store -> store.keyspace(ShardIdentity.KEYSPACE))
        .toList();
  }

  @Override
  public CommitProtocol.Transaction begin(
      WriteBatch batch, SplitBatch split, Durability durability) {
    // The record is forced for any durability, so the parts need no force.
    Durability ofPart = durability == Durability.SYNC ? Durability.OS : durability;
    return new RedoTransaction(
        split.shards(),
        TransactionLog.record(batch),
        log,
        shards.health(),
        (shard, store, gsn) -> apply(split.part(shard), shard, store, gsn, ofPart));
  }

  private void apply(WriteBatch part, int shard, KvStore store, long gsn, Durability durability) {
    byte[] identity = new ShardIdentity(storeId, shard, shards.count(), gsn).encode();
    part.put(identityKeyspaces.get(shard), ShardIdentity.key(), identity);
    store.write(part, durability);
    identityWrites.increment();
  }

  /** Empties the log if it has grown beyond its limit. */
  @Override
  public void written() {
    if (log.bytes() <= shards.settings().logBytesMax()) {
      return;
    }
    try {
      shards.runExclusively(
          () -> {
            if (log.bytes() > shards.settings().logBytesMax()) {
              empty();
            }
          },
          shards::checkWrites);
    } catch (StoreClosedException e) {
      // The log is emptied when the store is opened again.
      return;
    } catch (RuntimeException e) {
      shards.health().stopWrites(e);
    }
  }

  @Override
  public void beforeDrop() {
    if (!log.isEmpty()) {
      // Redo of a record that names the keyspace would find no keyspace, or a later one of that
      // name.
      empty();
    }
  }

  /**
   * Makes all parts durable, so that no record is needed, and empties the log. All workers are
   * stopped.
   */
  private void empty() {
    shards.stores().forEach(KvStore::sync);
    log.clear();
  }

  @Override
  public long identitiesWritten() {
    return identityWrites.sum();
  }

  /**
   * A transaction over shards of any engine. Each worker
   *
   * <ol>
   *   <li>makes all earlier writes of its shard durable, and waits for the others;
   *   <li>if it is the last to arrive, appends the batch to the log, unless a worker has failed:
   *       the batch takes effect when its record is durable;
   *   <li>applies its part, together with the batch's GSN, and waits for the others.
   * </ol>
   *
   * <p>The first step is needed for a crash after the second: opening the store then applies the
   * missing parts, and no write may be missing before them. The wait in the third step keeps
   * readers from seeing some parts only. Parts need not be forced, because the log can replay them.
   *
   * <p>Threads: see {@link CommitProtocol.Transaction}.
   *
   * <p>Keeps invariant I-9 of ARCHITECTURE.md.
   */
  static final class RedoTransaction extends CommitProtocol.Transaction {

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
}
