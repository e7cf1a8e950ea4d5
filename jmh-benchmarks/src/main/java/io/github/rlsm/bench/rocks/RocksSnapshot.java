// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.versionset.PinCount;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.ReadOptions;

/**
 * A RocksDB snapshot. After a close, it is released when the last running read has ended.
 *
 * <p>Threads: any.
 */
final class RocksSnapshot extends RocksReader implements Snapshot {

  private final RocksKvStore store;
  private final org.rocksdb.Snapshot snapshot;
  private final ReadOptions reads;
  private final PinCount readers;
  private final Runnable free;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes a snapshot. The caller keeps the store open. */
  RocksSnapshot(RocksKvStore store, RocksDatabase database) {
    super(database, KeyPlace.whole(database.defaults()));
    this.store = store;
    this.readers = new PinCount();
    this.snapshot = database.rocks().getSnapshot();
    this.reads = new ReadOptions().setSnapshot(snapshot);
    this.free = () -> {
      reads.close();
      database.rocks().releaseSnapshot(snapshot);
      snapshot.close();
    };
    database.track(free);
  }

  @Override
  <T> T read(String what, Read<T> read) {
    return database.call(what, () -> {
      int stripe = PinCount.stripe();
      if (!readers.tryPin(stripe)) {
        throw new StoreClosedException("snapshot");
      }
      try {
        return read.of(reads, snapshot);
      } finally {
        if (readers.unpin(stripe)) {
          database.release(free);
        }
      }
    });
  }

  @Override
  public KvReader in(Keyspace keyspace) {
    RocksKeyspace own = store.own(Objects.requireNonNull(keyspace, "keyspace"));
    return read("read", (options, same) -> new Part(own.place));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && readers.retire()) {
      database.release(free);
    }
  }

  /** One keyspace of the snapshot. */
  private final class Part extends RocksReader {

    Part(KeyPlace place) {
      super(RocksSnapshot.this.database, place);
    }

    @Override
    <T> T read(String what, Read<T> read) {
      return RocksSnapshot.this.read(what, read);
    }
  }
}
