// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** A keyspace of a RocksDB store. Threads: any. */
final class RocksKeyspace extends RocksReader implements Keyspace {

  private final RocksKvStore store;
  private final String name;
  private volatile boolean dropped;

  RocksKeyspace(RocksKvStore store, RocksDatabase database, String name, KeyPlace place) {
    super(database, place);
    this.store = store;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KvStore store() {
    return store;
  }

  /** Makes every later use fail. */
  void drop() {
    dropped = true;
  }

  void check() {
    if (dropped) {
      throw new NoSuchKeyspaceException(name);
    }
  }

  @Override
  <T> T read(String what, Read<T> read) {
    return database.call(what, () -> {
      check();
      return read.of(database.reads(), null);
    });
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
    byte[] placed = place.key(key, keyOffset, keyLength);
    EntryLimits.checkValue(value, valueOffset, valueLength);
    WriteOptions options = options(durability);
    change(placed, () -> {
      database
          .rocks()
          .put(place.family(), options, placed, 0, placed.length, value, valueOffset, valueLength);
      database.counters().wrote(1, (long) keyLength + valueLength);
      return true;
    });
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    byte[] placed = place.key(key, offset, length);
    WriteOptions options = options(durability);
    change(placed, () -> {
      database.rocks().delete(place.family(), options, placed);
      database.counters().wrote(1, length);
      return true;
    });
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    byte[] placed = place.key(key, 0, Objects.requireNonNull(key, "key").length);
    EntryLimits.checkValueOrNull(expected);
    EntryLimits.checkValueOrNull(replacement);
    WriteOptions options = options(durability);
    return change(placed, () -> {
      byte[] found = database.rocks().get(place.family(), database.reads(), placed);
      if (!Arrays.equals(found, expected)) {
        return false;
      }
      set(placed, replacement, options);
      database.counters().wrote(1, key.length + (replacement == null ? 0 : replacement.length));
      return true;
    });
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    byte[] placed = place.key(key, 0, Objects.requireNonNull(key, "key").length);
    EntryLimits.checkValue(value);
    WriteOptions options = options(durability);
    byte[][] result = change(placed, () -> {
      byte[] found = database.rocks().get(place.family(), database.reads(), placed);
      if (found == null) {
        set(placed, value, options);
        database.counters().wrote(1, (long) key.length + value.length);
      }
      return new byte[][] {found};
    });
    return result[0];
  }

  private void set(byte[] placed, byte @Nullable [] value, WriteOptions options)
      throws RocksDBException {
    if (value == null) {
      database.rocks().delete(place.family(), options, placed);
    } else {
      database.rocks().put(place.family(), options, placed, value);
    }
  }

  private WriteOptions options(Durability durability) {
    return database.writes(Objects.requireNonNull(durability, "durability"));
  }

  /** Changes a key under its lock. */
  private <T> T change(byte[] placed, RocksDatabase.Call<T> change) {
    return database.call("write", () -> {
      check();
      ReentrantLock lock = database.locks().of(placed);
      lock.lock();
      try {
        return change.run();
      } finally {
        lock.unlock();
      }
    });
  }
}
