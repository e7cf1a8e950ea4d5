// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;

/**
 * LMDB through lmdbjava, with one transaction for each write. Unless each write must be durable, it
 * runs with WRITEMAP and NOSYNC, its fastest mode. No write is lost when the process dies, but
 * power loss may leave the whole database corrupt. The other stores promise more.
 *
 * <p>Threads: see {@link BenchStore}.
 */
final class LmdbBenchStore implements BenchStore {

  private static final long MAP_BYTES_MIN = 1L << 30;
  private static final long MAP_DATA_RATIO = 6;

  private final Env<ByteBuffer> environment;
  private final Dbi<ByteBuffer> database;

  private LmdbBenchStore(Env<ByteBuffer> environment, Dbi<ByteBuffer> database) {
    this.environment = environment;
    this.database = database;
  }

  static LmdbBenchStore open(Path directory, StoreSettings settings) {
    Env<ByteBuffer> environment = Env.create()
        .setMapSize(Math.max(MAP_BYTES_MIN, MAP_DATA_RATIO * settings.dataBytes()))
        .setMaxReaders(settings.clients() + 2)
        .setMaxDbs(1)
        .open(directory.toFile(), flags(settings));
    return new LmdbBenchStore(environment, environment.openDbi("bench", DbiFlags.MDB_CREATE));
  }

  private static EnvFlags[] flags(StoreSettings settings) {
    EnumSet<EnvFlags> flags = EnumSet.of(EnvFlags.MDB_NOTLS);
    if (!settings.sync()) {
      flags.add(EnvFlags.MDB_WRITEMAP);
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    if (!settings.fitsInMemory()) {
      flags.add(EnvFlags.MDB_NORDAHEAD);
    }
    return flags.toArray(EnvFlags[]::new);
  }

  @Override
  public Session openSession() {
    return new LmdbSession(environment, database);
  }

  /** Forces the map to the device. LMDB has no background work; other stores force in theirs. */
  @Override
  public long settle() {
    long begin = System.nanoTime();
    environment.sync(true);
    return System.nanoTime() - begin;
  }

  @Override
  public Map<String, String> statistics() {
    Map<String, String> statistics = new LinkedHashMap<>();
    try (Txn<ByteBuffer> transaction = environment.txnRead()) {
      Stat stat = database.stat(transaction);
      statistics.put("entries", Long.toString(stat.entries));
      statistics.put("depth", Integer.toString(stat.depth));
      statistics.put("branchPages", Long.toString(stat.branchPages));
      statistics.put("leafPages", Long.toString(stat.leafPages));
      statistics.put("overflowPages", Long.toString(stat.overflowPages));
      statistics.put("lastPageNumber", Long.toString(environment.info().lastPageNumber));
    }
    return statistics;
  }

  @Override
  public void close() {
    environment.sync(true);
    environment.close();
  }
}
