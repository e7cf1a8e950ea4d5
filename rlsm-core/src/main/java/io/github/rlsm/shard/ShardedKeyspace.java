// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.shard.worker.CallRequest;
import io.github.rlsm.shard.worker.ReadRequest;
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.Shards;
import io.github.rlsm.shard.worker.WriteRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A keyspace of a sharded store, made of one keyspace in each shard. Threads: any. */
final class ShardedKeyspace implements Keyspace {

  private final KvStore store;
  private final Shards shards;
  private final String name;
  private final List<? extends Keyspace> parts;
  private volatile boolean dropped;

  /**
   * Creates a keyspace.
   *
   * @param parts its keyspace in each shard
   */
  ShardedKeyspace(KvStore store, Shards shards, String name, List<? extends Keyspace> parts) {
    this.store = store;
    this.shards = shards;
    this.name = name;
    this.parts = parts;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KvStore store() {
    return store;
  }

  /** The keyspace in a shard's store. */
  Keyspace part(int shard) {
    return parts.get(shard);
  }

  /** Marks the keyspace as dropped. Every later use is refused. */
  void drop() {
    dropped = true;
  }

  /** Throws if the keyspace may no longer be read. */
  void checkReads() {
    shards.checkReads();
    checkThere();
  }

  /** Throws if the keyspace may no longer be written. */
  void checkWrites() {
    shards.checkWrites();
    checkThere();
  }

  private void checkThere() {
    if (dropped) {
      throw new NoSuchKeyspaceException(name);
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    checkReads();
    int shard = shards.router().shardOf(key, offset, length);
    ReadRequest request = new ReadRequest(part(shard), key, offset, length);
    shards.submit(shard, request);
    return request.value();
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    checkReads();
    int shard = shards.router().shardOf(key, offset, length);
    CallRequest<Boolean> request = new CallRequest<>(
        Request.Access.READS, ignored -> part(shard).contains(key, offset, length));
    shards.submit(shard, request);
    return request.result();
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    SplitKeys split = new SplitKeys(shards.router(), keys);
    checkReads();
    return split.join(shards.runTogether(
        split.shards(),
        (shard, ignored) -> part(shard).multiGet(split.keys(shard)),
        this::checkReads,
        values -> {}));
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    checkReads();
    long gathered = shards.settings().gathered(options);
    List<KvIterator> parts = shards.runTogether(
        shards.all(),
        (shard, ignored) -> {
          KvIterator scan = part(shard).scan(options);
          return gathered == 0 ? scan : GatheredIterator.gather(scan, gathered);
        },
        this::checkReads,
        KvIterator::close);
    return MergedIterator.of(shards, parts, options);
  }

  @Override
  public void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    EntryLimits.checkKey(key, keyOffset, keyLength);
    EntryLimits.checkValue(value, valueOffset, valueLength);
    Objects.requireNonNull(durability, "durability");
    checkWrites();
    int shard = shards.router().shardOf(key, keyOffset, keyLength);
    WriteRequest request = new WriteRequest(part(shard), durability)
        .key(key, keyOffset, keyLength)
        .value(value, valueOffset, valueLength);
    shards.submit(shard, request);
    request.await();
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    EntryLimits.checkKey(key, offset, length);
    Objects.requireNonNull(durability, "durability");
    checkWrites();
    int shard = shards.router().shardOf(key, offset, length);
    WriteRequest request = new WriteRequest(part(shard), durability).key(key, offset, length);
    shards.submit(shard, request);
    request.await();
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    EntryLimits.checkKey(key);
    EntryLimits.checkValueOrNull(expected);
    EntryLimits.checkValueOrNull(replacement);
    Objects.requireNonNull(durability, "durability");
    checkWrites();
    int shard = shards.router().shardOf(key, 0, key.length);
    CallRequest<Boolean> request = new CallRequest<>(
        Request.Access.WRITES,
        ignored -> part(shard).compareAndSet(key, expected, replacement, durability));
    shards.submit(shard, request);
    return request.result();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    EntryLimits.checkKey(key);
    EntryLimits.checkValue(value);
    Objects.requireNonNull(durability, "durability");
    checkWrites();
    int shard = shards.router().shardOf(key, 0, key.length);
    CallRequest<byte @Nullable []> request = new CallRequest<>(
        Request.Access.WRITES, ignored -> part(shard).putIfAbsent(key, value, durability));
    shards.submit(shard, request);
    return request.result();
  }
}
