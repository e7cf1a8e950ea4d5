// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.Completion;
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.shard.worker.Shards;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the batches of a sharded store. The worker of a shard writes a batch with keys in this
 * shard only. The {@link CommitProtocol} writes a cross-shard batch.
 *
 * <p>Threads: any.
 */
final class BatchWriter {

  /** An upper bound of the metadata that the protocol adds to a part, for any number of shards. */
  private static final int META_BYTES_MAX = 4096;

  private final Shards shards;
  private final CommitProtocol protocol;
  private final Function<Keyspace, ShardedKeyspace> own;
  private final GroupCommit groupCommit;

  /**
   * Creates a writer.
   *
   * @param own casts a user's keyspace; throws if it belongs to another store
   */
  BatchWriter(Shards shards, CommitProtocol protocol, Function<Keyspace, ShardedKeyspace> own) {
    ShardSettings settings = shards.settings();
    this.shards = shards;
    this.protocol = protocol;
    this.own = own;
    this.groupCommit =
        new GroupCommit(settings.batchMax(), settings.batchBytesMax(), this::writeGathered);
  }

  /** Writes a batch atomically, with the requested durability. */
  void write(WriteBatch batch, Durability durability) {
    SplitBatch split = split(batch, durability);
    int[] concerned = split.shards();
    if (concerned.length == 1) {
      Request.Call<Boolean> request = writeOf(split, concerned[0], durability);
      shards.submit(concerned[0], request);
      request.await();
    } else if (concerned.length > 1) {
      checkLength(batch);
      groupCommit.write(batch, durability);
      protocol.written();
    }
  }

  /** Writes the batch of one caller, or the merged batch of several callers. */
  private void writeGathered(WriteBatch batch, Durability durability) {
    SplitBatch split = split(batch, durability);
    CommitProtocol.Transaction transaction = transaction(batch, split, durability);
    shards.submitInOrder(split.shards(), transaction::part, admission(split, transaction));
    transaction.await();
  }

  /** Returns the steps that run under the ordering lock, before the parts enter the queues. */
  private static Runnable admission(SplitBatch split, CommitProtocol.Transaction transaction) {
    return () -> {
      split.check();
      transaction.admit();
    };
  }

  /**
   * Submits a batch as {@link #write} does, without waiting for its end. {@code begin} may block.
   */
  Completion<@Nullable Void> submit(
      WriteBatch batch, Durability durability, Supplier<Completion<@Nullable Void>> begin) {
    SplitBatch split = split(batch, durability);
    int[] concerned = split.shards();
    if (concerned.length > 1) {
      CommitProtocol.Transaction transaction = transaction(batch, split, durability);
      Completion<@Nullable Void> completion = begin.get().of(() -> {
        transaction.await();
        protocol.written();
        return null;
      });
      completion.take();
      transaction.completeBy(completion);
      submitInOrder(concerned, transaction, split, completion);
      return completion;
    }
    Completion<@Nullable Void> completion = begin.get();
    if (concerned.length == 0) {
      completion.of(() -> null).ended();
      return completion;
    }
    Request.Call<Boolean> request = writeOf(split, concerned[0], durability);
    request.completeBy(completion.of(() -> {
      request.await();
      return null;
    }));
    shards.submit(concerned[0], request);
    return completion;
  }

  private void submitInOrder(
      int[] concerned,
      CommitProtocol.Transaction transaction,
      SplitBatch split,
      Completion<?> completion) {
    try {
      shards.submitInOrder(concerned, transaction::part, admission(split, transaction));
    } catch (RuntimeException e) {
      // Nothing was submitted, and the caller gets the exception.
      completion.abandon();
      throw e;
    }
  }

  private SplitBatch split(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    shards.checkWrites();
    SplitBatch split = new SplitBatch(batch, shards.router(), own);
    split.check();
    return split;
  }

  /** Creates the request that writes a batch to its only shard. */
  private static Request.Call<Boolean> writeOf(SplitBatch split, int shard, Durability durability) {
    return new Request.Call<>(Request.Access.WRITES, store -> {
      store.write(split.part(shard), durability);
      return true;
    });
  }

  private static void checkLength(WriteBatch batch) {
    if (batch.byteCount() > KvStore.MAX_VALUE_BYTES - META_BYTES_MAX) {
      throw new InvalidEntryException("the cross-shard batch has " + batch.byteCount()
          + " bytes of keys and values; at most " + (KvStore.MAX_VALUE_BYTES - META_BYTES_MAX)
          + " are allowed; split the batch");
    }
  }

  private CommitProtocol.Transaction transaction(
      WriteBatch batch, SplitBatch split, Durability durability) {
    checkLength(batch);
    return protocol.begin(batch, split, durability);
  }
}
