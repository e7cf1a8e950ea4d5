// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * The log of a shard, which keeps the shard's parts of cross-shard batches. A part is written once,
 * as one record that names its batch. When the shards are opened again, the parts of an incomplete
 * batch are cut off from every log.
 *
 * <p>Threads: one thread at a time writes parts; all other calls any.
 */
public interface PartLog {

  /** Throws if the shard accepts no writes any more. */
  void checkWrites();

  /**
   * Writes the shard's part of a batch atomically. The part survives the death of the process. The
   * log first reserves everything that the part needs. Then it calls {@code consent} once, which
   * may block.
   *
   * @param consent returns whether to write the part; it must not throw
   * @return whether the part was written; without consent, no reader ever sees any of the part
   * @throws RuntimeException if it is thrown before {@code consent} was called, nothing was written
   */
  boolean write(WriteBatch part, PartHeader header, BooleanSupplier consent);

  /**
   * Makes all parts durable that were written so far. Makes no durability promise, and so waits for
   * no other shard's log.
   */
  void force();

  /**
   * Marks the shard as failed, because a batch is in some shards only. From then on, the shard
   * accepts no write and promises no durability.
   */
  void fail(Throwable cause);

  /**
   * An opening of a shard with a {@link PartLog}, in two steps. First the shard reports its parts.
   * After all shards have done so, the shard is told where its history ends, and is opened.
   *
   * <p>Threads: one at a time.
   */
  interface Opening extends AutoCloseable {

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
     * durable. So after all shards have reported, no promise of a shard depends on data that
     * another shard can lose.
     */
    PartTail survey();

    /**
     * Opens the shard.
     *
     * @param end seqno of the part before which the history is cut off permanently, or
     *     {@link #WHOLE}
     * @param dependencies called with a GSN before the shard promises to keep its parts up to that
     *     GSN, for example by a flush. It returns once no other shard can lose data whose loss
     *     would roll back these parts
     */
    Opened open(long end, LongConsumer dependencies);

    /** Releases the shard, unless it was opened. */
    @Override
    void close();
  }
}
