// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.Completion;
import io.github.rlsm.shard.worker.Countdown;
import io.github.rlsm.shard.worker.Request;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

  /** Returns the number of identities that were written, see {@link ShardIdentity}. */
  default long identitiesWritten() {
    return 0;
  }

  /**
   * A cross-shard batch that is applied in all its shards or in no shard, also after an error or a
   * crash. It consists of one request to each shard, in the same order in all queues.
   *
   * <p>Threads: created and awaited by a caller; the workers run the parts.
   */
  abstract class Transaction {

    private final int[] shards;
    private final Countdown left;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private @Nullable Completion<?> completion;

    /**
     * Creates a transaction.
     *
     * @param shards the shards that take part
     */
    protected Transaction(int[] shards) {
      this.shards = shards;
      this.left = new Countdown(shards.length);
    }

    /** The shards that take part. */
    protected final int[] shards() {
      return shards;
    }

    /** Called under the ordering lock, before the parts enter the queues. */
    public abstract void admit();

    /** Creates the request to the shard at an index of {@link #shards()}. */
    public abstract Request part(int place);

    /** Sets the completion to notify of the end. Called before the parts are submitted. */
    final void completeBy(Completion<?> end) {
      completion = end;
    }

    /** Reports that one part has ended. */
    protected final void leave() {
      if (left.down() && completion != null) {
        completion.ended();
      }
    }

    /** Waits until all parts have ended. */
    protected final void awaitAll() {
      left.await();
    }

    /** Parks until all parts have ended. Throws the failure if there was one. */
    public final void await() {
      left.await();
      Throwable cause = failure.get();
      if (cause != null) {
        throw Request.rethrown(cause);
      }
    }

    /** Records a failure; the first one counts. */
    protected final void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
    }

    /** Returns the first failure, or null. */
    protected final @Nullable Throwable failure() {
      return failure.get();
    }
  }
}
