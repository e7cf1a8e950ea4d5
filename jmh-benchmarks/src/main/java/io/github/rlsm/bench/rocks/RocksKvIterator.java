// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreClosedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * A scan of a RocksDB keyspace. RocksDB's iterator pins the data that it reads, even if the
 * snapshot is closed.
 *
 * <p>Threads: one at a time, except that any thread may close the store.
 */
final class RocksKvIterator implements KvIterator {

  private final RocksDatabase database;
  private final KeyPlace place;
  private final RocksIterator iterator;
  private final boolean reverse;
  private final boolean keysOnly;
  private final Runnable free;
  private long left;
  private boolean started;
  private boolean atEntry;
  private boolean closed;

  private RocksKvIterator(
      RocksDatabase database,
      KeyPlace place,
      ScanOptions options,
      RocksIterator iterator,
      Runnable free) {
    this.database = database;
    this.place = place;
    this.iterator = iterator;
    this.reverse = options.isReverse();
    this.keysOnly = options.isKeysOnly();
    this.left = isEmpty(options) ? 0 : options.limit();
    this.free = free;
  }

  private static boolean isEmpty(ScanOptions options) {
    byte[] from = options.from();
    byte[] to = options.to();
    return from != null && to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /** Opens a scan. The caller keeps the store, and the snapshot if any, open. */
  static RocksKvIterator open(
      RocksDatabase database, KeyPlace place, ScanOptions options, @Nullable Snapshot snapshot) {
    List<AbstractNativeReference> owned = new ArrayList<>();
    ReadOptions reads = new ReadOptions();
    byte[] from = place.from(options.from());
    byte[] to = place.to(options.to());
    if (from != null) {
      Slice bound = new Slice(from);
      owned.add(bound);
      reads.setIterateLowerBound(bound);
    }
    if (to != null) {
      Slice bound = new Slice(to);
      owned.add(bound);
      reads.setIterateUpperBound(bound);
    }
    if (snapshot != null) {
      reads.setSnapshot(snapshot);
    }
    RocksIterator iterator = database.rocks().newIterator(place.family(), reads);
    owned.add(0, reads);
    owned.add(0, iterator);
    Runnable free = () -> owned.forEach(AbstractNativeReference::close);
    database.track(free);
    return new RocksKvIterator(database, place, options, iterator, free);
  }

  @Override
  public boolean next() {
    checkOpen();
    return database.call("scan", () -> {
      atEntry = left > 0 && advance();
      left = atEntry ? left - 1 : 0;
      return atEntry;
    });
  }

  private boolean advance() throws RocksDBException {
    if (!started) {
      started = true;
      if (reverse) {
        iterator.seekToLast();
      } else {
        iterator.seekToFirst();
      }
    } else if (reverse) {
      iterator.prev();
    } else {
      iterator.next();
    }
    if (!iterator.isValid()) {
      iterator.status();
      return false;
    }
    return true;
  }

  @Override
  public byte[] key() {
    checkOpen();
    return database.call("scan", () -> {
      checkAtEntry();
      return place.userKey(iterator.key());
    });
  }

  @Override
  public byte[] value() {
    checkOpen();
    return database.call("scan", () -> {
      checkAtEntry();
      if (keysOnly) {
        throw new IllegalStateException("the scan reads keys only");
      }
      return iterator.value();
    });
  }

  private void checkAtEntry() {
    if (!atEntry) {
      throw new IllegalStateException("the iterator is not at an entry: call next() first");
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException("iterator");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      database.release(free);
    }
  }
}
