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
import io.github.rlsm.shard.worker.Shards;
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
}
