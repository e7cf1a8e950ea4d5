// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.WriteBatch;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Batches that are first written to a log as a whole, for shards of any kind.
 *
 * <p>Threads: any.
 */
final class RedoBatches implements Batches {

  private final TransactionLog log;

  /** Each shard's, as it stood in it when the store was opened. */
  private final List<ShardMark> marks;

  private final List<Keyspace> markKeyspaces;
  private final Shards shards;
  private final long logBytesMax;
  private final LongAdder markWrites = new LongAdder();

  RedoBatches(
      TransactionLog log,
      List<ShardMark> marks,
      long marksWritten,
      Shards shards,
      ShardSettings settings) {
    this.log = log;
    this.marks = marks;
    this.shards = shards;
    this.logBytesMax = settings.logBytesMax();
    this.markWrites.add(marksWritten);
    this.markKeyspaces = shards.stores().stream()
        .map(store -> store.keyspace(ShardMark.KEYSPACE))
        .toList();
  }

  @Override
  public Transaction begin(WriteBatch batch, SplitBatch split, Durability durability) {
    // The log is forced, whatever was asked for, and stands for parts that were not.
    Durability ofPart = durability == Durability.SYNC ? Durability.OS : durability;
    return new RedoTransaction(
        split.shards(),
        TransactionLog.record(batch),
        log,
        shards.health(),
        (shard, store, gsn) -> apply(split.part(shard), shard, store, gsn, ofPart));
  }

  private void apply(WriteBatch part, int shard, KvStore store, long gsn, Durability durability) {
    byte[] mark = marks.get(shard).withGsn(gsn).encode();
    part.put(markKeyspaces.get(shard), ShardMark.key(), mark);
    store.write(part, durability);
    markWrites.increment();
  }

  /** Empties the log if it has grown large. */
  @Override
  public void written() {
    if (log.bytes() <= logBytesMax) {
      return;
    }
    try {
      shards.assemble(
          () -> {
            if (log.bytes() > logBytesMax) {
              empty();
            }
          },
          shards::checkWrites);
    } catch (StoreClosedException e) {
      // Then it is emptied when the store is opened again.
      return;
    } catch (RuntimeException e) {
      shards.health().stopWrites(e);
    }
  }

  @Override
  public void beforeDrop() {
    if (!log.isEmpty()) {
      // A record that names it would find a later one of the same name, or none.
      empty();
    }
  }

  /** While no worker does anything else: makes all parts durable, then nobody needs the log. */
  private void empty() {
    shards.stores().forEach(KvStore::sync);
    log.clear();
  }

  @Override
  public long marksWritten() {
    return markWrites.sum();
  }
}
