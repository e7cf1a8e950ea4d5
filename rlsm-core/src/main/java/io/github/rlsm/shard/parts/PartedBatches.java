// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.SplitBatch;
import io.github.rlsm.shard.Transaction;
import io.github.rlsm.shard.worker.Health;
import java.util.List;

/**
 * Writes cross-shard batches as parts in the shards' own logs. Each part is written once, and only
 * {@code SYNC} batches are forced.
 *
 * <p>Threads: any.
 */
public final class PartedBatches implements CommitProtocol {

  private final List<PartLog> logs;
  private final CrossShardDurability crossShard;
  private final Health health;
  private final long marksWritten;

  /** The last GSN given to a batch. Guarded by the lock under which batches enter the queues. */
  private long lastGsn;

  /**
   * Creates the protocol over open shards.
   *
   * @param marksWritten how many marks the opening has written
   */
  public PartedBatches(PartedShards shards, Health health, long marksWritten) {
    this.logs = shards.logs();
    this.crossShard = shards.crossShard();
    this.lastGsn = shards.lastGsn();
    this.health = health;
    this.marksWritten = marksWritten;
  }

  @Override
  public Transaction begin(WriteBatch batch, SplitBatch split, Durability durability) {
    boolean synced = durability == Durability.SYNC;
    return new PartedTransaction(split, synced, logs, crossShard, health, () -> ++lastGsn);
  }

  @Override
  public long marksWritten() {
    return marksWritten;
  }
}
