// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.WriteBatch;
import java.util.function.BooleanSupplier;

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
  boolean write(WriteBatch part, PartMark mark, BooleanSupplier consent);

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
}
