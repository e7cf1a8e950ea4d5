// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;

/**
 * A way to make cross-shard batches atomic. If the shards' logs keep parts, a batch costs as much
 * as its parts. Otherwise the batch is first forced to a redo log, for any requested durability:
 * two forces, one after the other.
 *
 * <p>Threads: any.
 */
public interface CommitProtocol {

  /**
   * Returns the transaction that writes a batch to several shards.
   *
   * @param split the same batch, split by shard
   */
  Transaction begin(WriteBatch batch, SplitBatch split, Durability durability);

  /** Called after a batch was written, for cleanup. */
  default void written() {}

  /** Called before a keyspace is dropped, while all workers are stopped. */
  default void beforeDrop() {}

  /** Returns the number of marks that were written, see {@link ShardMark}. */
  default long marksWritten() {
    return 0;
  }
}
