// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.WriteBatch;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A batch in RocksDB's form, and the locks of its keys.
 *
 * <p>Threads: one thread at a time.
 */
final class RocksBatch implements AutoCloseable, WriteBatch.Visitor {

  private final RocksKvStore store;
  private final org.rocksdb.WriteBatch batch = new org.rocksdb.WriteBatch();
  private final BitSet locks = new BitSet();
  private @Nullable RocksDBException failure;

  /** Copies all operations, or throws if one of them names a keyspace of another store. */
  RocksBatch(RocksKvStore store, WriteBatch operations) throws RocksDBException {
    this.store = store;
    try {
      operations.forEach(this);
      if (failure != null) {
        throw failure;
      }
    } catch (RuntimeException | RocksDBException e) {
      batch.close();
      throw e;
    }
  }

  org.rocksdb.WriteBatch batch() {
    return batch;
  }

  BitSet locks() {
    return locks;
  }

  private KeyPlace place(@Nullable Keyspace keyspace) {
    RocksKeyspace own = store.own(keyspace);
    own.check();
    return own.place;
  }

  @Override
  public void put(
      @Nullable Keyspace keyspace,
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength) {
    KeyPlace place = place(keyspace);
    byte[] key = place.key(bytes, keyOffset, keyLength);
    locks.set(KeyLocks.numberOf(key));
    try {
      batch.put(
          place.family(), key, Arrays.copyOfRange(bytes, valueOffset, valueOffset + valueLength));
    } catch (RocksDBException e) {
      failure = e;
    }
  }

  @Override
  public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
    KeyPlace place = place(keyspace);
    byte[] key = place.key(bytes, keyOffset, keyLength);
    locks.set(KeyLocks.numberOf(key));
    try {
      batch.delete(place.family(), key);
    } catch (RocksDBException e) {
      failure = e;
    }
  }

  @Override
  public void close() {
    batch.close();
  }
}
