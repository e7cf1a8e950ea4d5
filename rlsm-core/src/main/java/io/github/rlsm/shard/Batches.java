// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;

/** A way to make cross-shard batches atomic. Threads: any. */
interface Batches {

  /** Returns the transaction that writes a batch to several shards. */
  Transaction begin(WriteBatch batch, SplitBatch split, Durability durability);

  /** Called after a batch was written, for cleanup. */
  default void written() {}

  /** Called before a keyspace is dropped, while all workers are stopped. */
  default void beforeDrop() {}

  /** Returns the number of entries written in addition to the users' entries. */
  long marksWritten();
}
