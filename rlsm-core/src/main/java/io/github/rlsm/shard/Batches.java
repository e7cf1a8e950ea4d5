// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;

/** How batches over several shards are kept whole. Threads: any. */
interface Batches {

  /** A batch that is to be written to several shards. */
  Transaction begin(WriteBatch batch, SplitBatch split, Durability durability);

  /** One was written; there may be something to be tidied up. */
  default void written() {}

  /** A keyspace is about to be dropped, while no worker does anything. */
  default void beforeDrop() {}

  /** How many entries were written beside the users' own. */
  long marksWritten();
}
