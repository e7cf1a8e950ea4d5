// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import java.util.function.LongConsumer;

/**
 * An opening of a shard with a {@link PartLog}, in two steps. First the shard reports its parts.
 * After all shards have done so, the shard is told where its history ends, and is opened.
 *
 * <p>Threads: one at a time.
 */
public interface PartLogOpening extends AutoCloseable {

  /** The end of a history that is kept as a whole. */
  long WHOLE = Long.MAX_VALUE;

  /**
   * An open shard.
   *
   * @param store the shard's store
   * @param parts the shard's log
   */
  record Opened(KvStore store, PartLog parts) {}

  /**
   * Returns the parts that the shard has. On return, the parts and everything before them are
   * durable. So after all shards have reported, no promise of a shard depends on data that another
   * shard can lose.
   */
  PartTail survey();

  /**
   * Opens the shard.
   *
   * @param end seqno of the part before which the history is cut off permanently, or {@link #WHOLE}
   * @param dependencies called with a GSN before the shard promises to keep its parts up to that
   *     GSN, for example by a flush. It returns once no other shard can lose data whose loss would
   *     roll back these parts
   */
  Opened open(long end, LongConsumer dependencies);

  /** Releases the shard, unless it was opened. */
  @Override
  void close();
}
