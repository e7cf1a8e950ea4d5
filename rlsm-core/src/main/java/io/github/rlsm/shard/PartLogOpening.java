// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import java.util.function.LongConsumer;

/**
 * A shard with a {@link PartLog} that is being opened. First each says which parts it has; then it
 * is told where its history ends.
 *
 * <p>Threads: one at a time.
 */
public interface PartLogOpening extends AutoCloseable {

  /** The end of a history of which nothing is left out. */
  long WHOLE = Long.MAX_VALUE;

  /**
   * A shard that is open.
   *
   * @param store the shard's store
   * @param parts its log
   */
  record Opened(KvStore store, PartLog parts) {}

  /**
   * The parts that the shard has. They are durable on return, and so is all before them: whatever a
   * shard promises from now on, the others have what that takes.
   */
  PartTail survey();

  /**
   * Opens the shard.
   *
   * @param end seqno of the part before which the history ends, for ever, or {@link #WHOLE}
   * @param companions called before the shard promises to keep its parts up to that GSN, by a flush
   *     for one: returns once no other shard can lose what would take them back
   */
  Opened open(long end, LongConsumer companions);

  /** Lets go of the shard, unless it was opened. */
  @Override
  void close();
}
