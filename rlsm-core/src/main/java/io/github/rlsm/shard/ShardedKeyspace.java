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
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.ShardRouter;
import io.github.rlsm.shard.worker.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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
    Request.Read request = new Request.Read(part(shard), key, offset, length);
    shards.submit(shard, request);
    return request.value();
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    checkReads();
    int shard = shards.router().shardOf(key, offset, length);
    Request.Call<Boolean> request = new Request.Call<>(
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
    Request.Write request = new Request.Write(part(shard), durability)
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
    Request.Write request = new Request.Write(part(shard), durability).key(key, offset, length);
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
    Request.Call<Boolean> request = new Request.Call<>(
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
    Request.Call<byte @Nullable []> request = new Request.Call<>(
        Request.Access.WRITES, ignored -> part(shard).putIfAbsent(key, value, durability));
    shards.submit(shard, request);
    return request.result();
  }

  /** The keys of one lookup, split by shard. Threads: one thread builds it, then read-only. */
  static final class SplitKeys {

    private final int[] shardOfKey;
    private final List<List<byte[]>> keys = new ArrayList<>();
    private final int[] shards;

    /** Checks the keys and splits them. */
    SplitKeys(ShardRouter router, List<byte[]> keys) {
      this.shardOfKey = new int[Objects.requireNonNull(keys, "keys").size()];
      for (int i = 0; i < router.shards(); i++) {
        this.keys.add(new ArrayList<>());
      }
      for (int i = 0; i < shardOfKey.length; i++) {
        byte[] key = keys.get(i);
        EntryLimits.checkKey(key);
        shardOfKey[i] = router.shardOf(key, 0, key.length);
        this.keys.get(shardOfKey[i]).add(key);
      }
      this.shards = IntStream.range(0, router.shards())
          .filter(shard -> !this.keys.get(shard).isEmpty())
          .toArray();
    }

    /** The shards with at least one key. */
    int[] shards() {
      return shards;
    }

    /** Returns a shard's keys, in the order of the lookup. */
    List<byte[]> keys(int shard) {
      return keys.get(shard);
    }

    /**
     * Returns the values in the order of the keys.
     *
     * @param found for each of {@link #shards()}, the values of its keys
     */
    List<byte @Nullable []> join(List<List<byte @Nullable []>> found) {
      int[] next = new int[keys.size()];
      int[] place = new int[keys.size()];
      for (int i = 0; i < shards.length; i++) {
        place[shards[i]] = i;
      }
      List<byte @Nullable []> values = new ArrayList<>(shardOfKey.length);
      for (int shard : shardOfKey) {
        values.add(found.get(place[shard]).get(next[shard]++));
      }
      return values;
    }
  }

  /**
   * A scan of one shard whose first entries its worker has read in advance. So all shards read at
   * the same time. The thread that uses the iterator reads the rest.
   *
   * <p>Threads: created by the worker; then one thread at a time.
   */
  private static final class GatheredIterator implements KvIterator {

    /** Bytes of keys and values after which the worker stops reading. */
    private static final long BYTES_MAX = 64 << 10;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] key, byte[] value) {}

    private final KvIterator rest;
    private final List<Entry> gathered = new ArrayList<>();
    private int place = -1;

    /** Whether {@link #rest} ended while the worker read it. */
    private boolean ended;

    /**
     * The error that ended reading in advance. It is thrown where a plain scan would have met it.
     */
    private @Nullable RuntimeException failure;

    private GatheredIterator(KvIterator rest) {
      this.rest = rest;
    }

    /** Reads up to {@code entriesMax} entries of a scan, with their values. */
    static KvIterator gather(KvIterator scan, long entriesMax) {
      GatheredIterator iterator = new GatheredIterator(scan);
      try {
        iterator.gather(entriesMax);
      } catch (RuntimeException e) {
        iterator.failure = e;
      }
      return iterator;
    }

    private void gather(long entriesMax) {
      long bytes = 0;
      while (gathered.size() < entriesMax && bytes < BYTES_MAX) {
        if (!rest.next()) {
          ended = true;
          return;
        }
        Entry entry = new Entry(rest.key(), rest.value());
        bytes += entry.key.length + entry.value.length;
        gathered.add(entry);
      }
    }

    @Override
    public boolean next() {
      if (place < gathered.size()) {
        place++;
      }
      if (place < gathered.size()) {
        return true;
      }
      if (failure != null) {
        throw failure;
      }
      return !ended && rest.next();
    }

    @Override
    public byte[] key() {
      return isGathered() ? gathered.get(place).key.clone() : rest.key();
    }

    @Override
    public byte[] value() {
      return isGathered() ? gathered.get(place).value.clone() : rest.value();
    }

    private boolean isGathered() {
      return place >= 0 && place < gathered.size();
    }

    @Override
    public void close() {
      rest.close();
    }
  }
}
