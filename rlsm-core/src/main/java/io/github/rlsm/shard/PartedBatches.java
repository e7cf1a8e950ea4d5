// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;
import java.util.List;

/**
 * Batches whose parts the shards' own logs keep: nothing is written twice, and nothing forced but
 * what is to be durable.
 *
 * <p>Threads: any.
 */
final class PartedBatches implements Batches {

  private final List<PartLog> logs;
  private final Agreement agreement;
  private final Health health;
  private final long marksWritten;

  /** Guarded by the order in which what concerns several shards enters their queues. */
  private long lastGsn;

  PartedBatches(PartedShards shards, Health health, long marksWritten) {
    this.logs = shards.logs();
    this.agreement = shards.agreement();
    this.lastGsn = shards.lastGsn();
    this.health = health;
    this.marksWritten = marksWritten;
  }

  @Override
  public Transaction begin(WriteBatch batch, SplitBatch split, Durability durability) {
    boolean synced = durability == Durability.SYNC;
    return new PartedTransaction(split, synced, logs, agreement, health, () -> ++lastGsn);
  }

  @Override
  public long marksWritten() {
    return marksWritten;
  }
}
