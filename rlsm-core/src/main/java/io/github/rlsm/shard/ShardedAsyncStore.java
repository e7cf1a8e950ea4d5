// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.AsyncWrite;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.Completion;
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.Shards;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous calls of a {@link ShardedStore}. The workers serve them.
 *
 * <p>The store's executor completes the futures. A worker completes a future only if the executor
 * accepts no task. A call blocks only while the queue of its shard is full, or while too many calls
 * are in flight ({@code inFlightMax} of the settings).
 *
 * <p>A cross-shard batch cannot be cancelled. Both its stages end when the batch is written with
 * the requested durability.
 *
 * <p>Threads: any.
 */
final class ShardedAsyncStore implements AsyncStore {

  private final KvStore store;
  private final Shards shards;
  private final Function<Keyspace, ShardedKeyspace> own;
  private final BatchWriter batches;
  private final Executor executor;
  private final Completion.InFlight inFlight;

  /**
   * Creates the asynchronous calls of a store.
   *
   * @param own casts a user's keyspace; throws if it belongs to another store
   */
  ShardedAsyncStore(
      KvStore store,
      Shards shards,
      Function<Keyspace, ShardedKeyspace> own,
      BatchWriter batches,
      Executor executor) {
    this.store = store;
    this.shards = shards;
    this.own = own;
    this.batches = batches;
    this.executor = executor;
    this.inFlight = new Completion.InFlight(shards.settings().inFlightMax());
  }

  private <T extends @Nullable Object> Completion<T> begin() {
    return new Completion<>(inFlight, executor);
  }

  private <T extends @Nullable Object> Completion<T> submit(
      int shard, Completion<T> completion, Request request) {
    request.completeBy(completion);
    shards.submit(shard, request);
    return completion;
  }

  @Override
  public KvStore store() {
    return store;
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(Keyspace keyspace, byte[] key) {
    byte[] ownKey = copy(key);
    ShardedKeyspace sharded = own.apply(keyspace);
    sharded.checkReads();
    int shard = shardOf(ownKey);
    Request.Read request = new Request.Read(sharded.part(shard), ownKey, 0, ownKey.length);
    return submit(shard, this.<byte @Nullable []>begin().of(request::value), request)
        .whenDone();
  }

  @Override
  public AsyncWrite put(Keyspace keyspace, byte[] key, byte[] value, Durability durability) {
    byte[] ownKey = copy(key);
    EntryLimits.checkValue(value);
    byte[] ownValue = value.clone();
    return submit(keyspace, ownKey, ownValue, durability);
  }

  @Override
  public AsyncWrite delete(Keyspace keyspace, byte[] key, Durability durability) {
    return submit(keyspace, copy(key), null, durability);
  }

  /** Submits the write of a value; null deletes the key. */
  private AsyncWrite submit(
      Keyspace keyspace, byte[] key, byte @Nullable [] value, Durability durability) {
    Objects.requireNonNull(durability, "durability");
    ShardedKeyspace sharded = own.apply(keyspace);
    sharded.checkWrites();
    int shard = shardOf(key);
    Request.Write request =
        new Request.Write(sharded.part(shard), durability).key(key, 0, key.length);
    if (value != null) {
      request.value(value, 0, value.length);
    }
    return stages(submit(shard, this.<@Nullable Void>begin().of(request::result), request));
  }

  @Override
  public CompletableFuture<Boolean> compareAndSet(
      Keyspace keyspace,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    byte[] ownKey = copy(key);
    byte[] ownExpected = copyOfValue(expected);
    byte[] ownReplacement = copyOfValue(replacement);
    Objects.requireNonNull(durability, "durability");
    ShardedKeyspace sharded = own.apply(keyspace);
    sharded.checkWrites();
    int shard = shardOf(ownKey);
    Keyspace part = sharded.part(shard);
    Request.Call<Boolean> request = new Request.Call<>(
        Request.Access.WRITES,
        ignored -> part.compareAndSet(ownKey, ownExpected, ownReplacement, durability));
    return submit(shard, this.<Boolean>begin().of(request::result), request).whenDone();
  }

  @Override
  public AsyncWrite write(WriteBatch batch, Durability durability) {
    return stages(batches.submit(batch, durability, () -> this.<@Nullable Void>begin()));
  }

  private static AsyncWrite stages(Completion<@Nullable Void> completion) {
    return new AsyncWrite(completion.whenVisible(), completion.whenDone());
  }

  private int shardOf(byte[] key) {
    return shards.router().shardOf(key, 0, key.length);
  }

  private static byte[] copy(byte[] key) {
    EntryLimits.checkKey(key);
    return key.clone();
  }

  private static byte @Nullable [] copyOfValue(byte @Nullable [] value) {
    EntryLimits.checkValueOrNull(value);
    return value == null ? null : value.clone();
  }
}
