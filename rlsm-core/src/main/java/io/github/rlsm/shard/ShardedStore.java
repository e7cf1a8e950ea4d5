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
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One store over several: each key lives in the shard its hash says, and each shard is served by a
 * worker thread of its own that turns neighbouring requests into batches.
 *
 * <p>What differs from a single store: a crash leaves a gap-free prefix of each <em>shard's</em>
 * history, not of the whole store's. And until there is a log of transactions, a batch whose keys
 * lie in several shards may be there in part after a crash; while the store is open, nobody ever
 * sees a part of it.
 *
 * <p>Threads: any, see {@link KvStore}.
 */
public final class ShardedStore implements KvStore {

  private final Shards shards;
  private final ShardedKeyspace defaults;
  private final Durability defaultDurability;
  private final Map<String, ShardedKeyspace> handles = new ConcurrentHashMap<>();
  private final AtomicInteger openSnapshots = new AtomicInteger();

  @SuppressWarnings("this-escape") // A keyspace only remembers its store.
  private ShardedStore(
      List<? extends KvStore> stores, ShardSettings settings, ThreadFactory threads) {
    this.defaultDurability = stores.get(0).defaultDurability();
    this.shards = new Shards(stores, settings, threads);
    this.defaults = new ShardedKeyspace(this, shards, "", stores);
  }

  /**
   * Makes one store of several, which belong to it from now on and are closed with it. They must
   * always be the same ones, in the same order.
   *
   * @param stores the shards, 1 to {@link ShardRouter#SHARDS_MAX}
   * @param threads makes the workers' threads
   */
  public static ShardedStore over(
      List<? extends KvStore> stores, ShardSettings settings, ThreadFactory threads) {
    List<KvStore> own = List.copyOf(stores);
    ShardedStore store = new ShardedStore(
        own,
        Objects.requireNonNull(settings, "settings"),
        Objects.requireNonNull(threads, "threads"));
    try {
      store.dropOrphans();
    } catch (RuntimeException e) {
      store.shards.close();
      throw e;
    }
    return store;
  }

  /** A keyspace exists if it does in shard 0; what others have beside that was never finished. */
  private void dropOrphans() {
    Set<String> names = shards.store(0).keyspaceNames();
    for (int shard : shards.all()) {
      KvStore one = shards.store(shard);
      one.keyspaceNames().stream().filter(name -> !names.contains(name)).forEach(one::dropKeyspace);
    }
  }

  Shards shards() {
    return shards;
  }

  /** A snapshot or iterator was opened. */
  void opened() {
    openSnapshots.incrementAndGet();
  }

  /** A snapshot or iterator was closed. */
  void closed() {
    openSnapshots.decrementAndGet();
  }

  /** The keyspace as one of this store's own. */
  @SuppressWarnings("ReferenceEquality") // A keyspace belongs to one store, not to an equal one.
  ShardedKeyspace own(Keyspace keyspace) {
    if (keyspace == this) {
      return defaults;
    }
    if (keyspace instanceof ShardedKeyspace own && own.store() == this) {
      return own;
    }
    throw new IllegalArgumentException(
        "keyspace \"" + keyspace.name() + "\" belongs to another store");
  }

  @Override
  public String name() {
    return defaults.name();
  }

  @Override
  public KvStore store() {
    return this;
  }

  @Override
  public Durability defaultDurability() {
    return defaultDurability;
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    return defaults.get(key, offset, length);
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    return defaults.contains(key, offset, length);
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    return defaults.multiGet(keys);
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    return defaults.scan(options);
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
    defaults.put(key, keyOffset, keyLength, value, valueOffset, valueLength, durability);
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    defaults.delete(key, offset, length, durability);
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    return defaults.compareAndSet(key, expected, replacement, durability);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    return defaults.putIfAbsent(key, value, durability);
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    shards.check();
    SplitBatch split = new SplitBatch(this, shards.router(), batch);
    split.check();
    shards.checkWritten(shards.meet(
        new Meeting<>(split.shards(), (shard, store) -> {
          store.write(split.part(shard), durability);
          return true;
        }),
        split::check));
  }

  @Override
  public Snapshot snapshot() {
    shards.check();
    Meeting<Snapshot> meeting =
        shards.meet(new Meeting<>(shards.all(), (shard, store) -> store.snapshot()), shards::check);
    Throwable failure = meeting.failure();
    if (failure != null) {
      meeting.results().forEach(Snapshot::close);
      throw Request.rethrown(failure);
    }
    return new ShardedSnapshot(this, shards.router(), meeting.results());
  }

  @Override
  public Keyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    shards.check();
    ShardedKeyspace known = handles.get(name);
    return known != null ? known : handles.computeIfAbsent(name, this::make);
  }

  private ShardedKeyspace make(String name) {
    AtomicReference<List<Keyspace>> made = new AtomicReference<>(List.of());
    shards.assemble(
        () -> {
          List<Keyspace> parts = new ArrayList<>();
          // Shard 0 last: once it is there, it is everywhere.
          for (int shard = shards.count() - 1; shard >= 0; shard--) {
            parts.add(0, shards.store(shard).keyspace(name));
          }
          made.set(parts);
        },
        shards::check);
    return new ShardedKeyspace(this, shards, name, made.get());
  }

  @Override
  public Set<String> keyspaceNames() {
    shards.check();
    return shards.store(0).keyspaceNames();
  }

  @Override
  public void dropKeyspace(String name) {
    Objects.requireNonNull(name, "name");
    shards.check();
    handles.compute(name, (same, handle) -> {
      shards.assemble(() -> dropEverywhere(name, handle), shards::check);
      return null;
    });
  }

  /** Shard 0 first: once it is gone there, it is gone. Nobody sees the time between. */
  private void dropEverywhere(String name, @Nullable ShardedKeyspace handle) {
    shards.store(0).dropKeyspace(name);
    if (handle != null) {
      handle.drop();
    }
    try {
      for (int shard = 1; shard < shards.count(); shard++) {
        shards.store(shard).dropKeyspace(name);
      }
    } catch (NoSuchKeyspaceException e) {
      throw new AssertionError("a keyspace that is not in every shard: " + name, e);
    } catch (RuntimeException e) {
      shards.fail(e);
      throw e;
    }
  }

  @Override
  public void sync() {
    onEveryShard(KvStore::sync);
  }

  @Override
  public void flush() {
    onEveryShard(KvStore::flush);
  }

  /** All shards at a time, each by its worker: what was acknowledged stands before this. */
  private void onEveryShard(Consumer<KvStore> action) {
    shards.check();
    List<CallRequest<Boolean>> requests = new ArrayList<>();
    for (int shard : shards.all()) {
      CallRequest<Boolean> request = new CallRequest<>(store -> {
        action.accept(store);
        return true;
      });
      requests.add(request);
      shards.submit(shard, request);
    }
    requests.forEach(CallRequest::result);
  }

  @Override
  public Stats stats() {
    shards.check();
    List<Stats> all = new ArrayList<>();
    for (int shard : shards.all()) {
      all.add(shards.store(shard).stats());
    }
    return new SummedStats(all).sum(openSnapshots.get());
  }

  @Override
  public boolean isClosed() {
    return shards.isClosed();
  }

  @Override
  public void close() {
    shards.close();
  }
}
