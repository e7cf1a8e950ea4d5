// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * One client of RocksDB, with direct buffers. So rocksdbjni copies no data to or from the heap.
 *
 * <p>Threads: one thread at a time.
 */
final class RocksSession implements Session {

  private static final int SCAN_BUFFER_BYTES = 64 << 10;

  private final RocksDB database;
  private final WriteOptions writeOptions;
  private final ReadOptions readOptions = new ReadOptions();
  private final ByteBuffer scanKey = ByteBuffer.allocateDirect(StoreSettings.KEY_BYTES);
  private final ByteBuffer scanValue = ByteBuffer.allocateDirect(SCAN_BUFFER_BYTES);

  RocksSession(RocksDB database, WriteOptions writeOptions) {
    this.database = database;
    this.writeOptions = writeOptions;
  }

  @Override
  public void put(ByteBuffer key, ByteBuffer value) {
    try {
      database.put(writeOptions, key, value);
    } catch (RocksDBException e) {
      throw new StoreFailure("put", e);
    }
  }

  @Override
  public boolean get(ByteBuffer key, ByteBuffer value) {
    try {
      value.clear();
      return database.get(readOptions, key, value) != RocksDB.NOT_FOUND;
    } catch (RocksDBException e) {
      throw new StoreFailure("get", e);
    }
  }

  @Override
  public void delete(ByteBuffer key) {
    try {
      database.delete(writeOptions, key);
    } catch (RocksDBException e) {
      throw new StoreFailure("delete", e);
    }
  }

  @Override
  public int scan(ByteBuffer from, int limit, EntryVisitor visitor) {
    int visited = 0;
    try (RocksIterator iterator = database.newIterator(readOptions)) {
      iterator.seek(from);
      while (visited < limit && iterator.isValid()) {
        iterator.key(scanKey.clear());
        iterator.value(scanValue.clear());
        visitor.entry(scanKey, scanValue);
        visited++;
        if (visited < limit) {
          iterator.next();
        }
      }
      iterator.status();
    } catch (RocksDBException e) {
      throw new StoreFailure("scan", e);
    }
    return visited;
  }

  @Override
  public void close() {
    readOptions.close();
  }
}
