// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.WriteBatch;
import java.util.function.BooleanSupplier;

/**
 * A shard's own log as the keeper of its parts of batches over several shards. A part is written
 * once, as one record that says whose part it is; when the shards are opened again, what has not
 * all its parts is left out of every log.
 *
 * <p>Threads: parts are written one at a time; all else any.
 */
public interface PartLog {

  /** Throws if nothing may be written any more. */
  void checkWrites();

  /**
   * Writes the shard's part of a batch, atomically; it survives the death of the process. First all
   * that the part needs is reserved, then {@code consent} is asked once, which may block.
   *
   * @param consent whether the part is to be written; it must not throw
   * @return whether the part was written; without consent nothing of the part is ever seen
   * @throws RuntimeException if it is thrown before {@code consent} was asked, nothing was written
   */
  boolean write(WriteBatch part, PartMark mark, BooleanSupplier consent);

  /** Makes all parts durable that were written so far. Promises nothing, and asks no other log. */
  void force();

  /** Something of the shard's is not whole: from now on it takes no write, and promises nothing. */
  void fail(Throwable cause);
}
