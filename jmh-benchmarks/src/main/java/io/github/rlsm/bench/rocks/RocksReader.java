// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Reads one keyspace, in its current state or in a snapshot. Threads: any. */
abstract class RocksReader implements KvReader {

  final RocksDatabase database;
  final KeyPlace place;

  RocksReader(RocksDatabase database, KeyPlace place) {
    this.database = database;
    this.place = place;
  }

  /** A read of a snapshot, or of the current state. */
  @FunctionalInterface
  interface Read<T> {
    T of(ReadOptions options, @Nullable Snapshot snapshot) throws RocksDBException;
  }

  /** Executes a read. Its source cannot close before the read returns. */
  abstract <T> T read(String what, Read<T> read);

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    byte[] wanted = place.key(key, offset, length);
    byte[][] found = read("get", (options, snapshot) ->
        new byte[][] {database.rocks().get(place.family(), options, wanted)});
    database.counters().got(1);
    return found[0];
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    Objects.requireNonNull(keys, "keys");
    List<byte[]> wanted = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      wanted.add(place.key(key, 0, Objects.requireNonNull(key, "key").length));
    }
    List<ColumnFamilyHandle> families = Collections.nCopies(keys.size(), place.family());
    List<byte @Nullable []> found = new ArrayList<>(keys.size());
    read(
        "multiGet",
        (options, snapshot) -> wanted.isEmpty()
            || found.addAll(database.rocks().multiGetAsList(options, families, wanted)));
    database.counters().got(keys.size());
    return found;
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    return read(
        "scan", (unused, snapshot) -> RocksKvIterator.open(database, place, options, snapshot));
  }
}
