// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.AbstractKvStore;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.thread.ShardThreads;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/**
 * RocksDB behind this project's interface. {@code BUFFERED} and {@code OS} write to RocksDB's log,
 * and the kernel has the bytes when the call returns. {@code SYNC} syncs the log.
 *
 * <p>The default keyspace is RocksDB's default column family, with unchanged keys. All named
 * keyspaces share a second family. Each has a number as key prefix, so a thousand of them cost as
 * much as ten. Dropping a keyspace writes a range tombstone.
 *
 * <p>Threads: any, see {@link KvStore}.
 */
public final class RocksKvStore extends AbstractKvStore {

  private final RocksDatabase database;
  private final RocksCatalog catalog;
  private final RocksKeyspace defaults;
  private final Map<String, RocksKeyspace> handles = new ConcurrentHashMap<>();

  @SuppressWarnings("this-escape") // the keyspace only stores the reference
  private RocksKvStore(RocksDatabase database) {
    this.database = database;
    this.catalog = new RocksCatalog(database);
    this.defaults = new RocksKeyspace(this, database, "", KeyPlace.whole(database.defaults()));
  }

  /** Opens the store in a directory, and creates it if necessary. */
  public static RocksKvStore open(Path directory, RocksSettings settings) {
    OsDirectory.create(directory).close();
    return new RocksKvStore(RocksDatabase.open(directory, settings));
  }

  /** Opens a store with several shards. Each shard is a RocksDB with its share of the memory. */
  public static ShardedStore openSharded(
      Path directory, int shards, RocksSettings settings, ShardSettings sharding) {
    RocksSettings each = settings.ofShard(shards);
    ShardThreads threads = new ShardThreads("rocks", 1);
    return ShardOpening.open(
        OsDirectory.create(directory),
        shards,
        ShardOpener.below(directory, (path, shard) -> open(path, each)),
        sharding,
        new ShardOpening.Services(threads, new SecureRandom(), threads));
  }

  @Override
  public Durability defaultDurability() {
    return Durability.OS;
  }

  @Override
  protected Keyspace defaultKeyspace() {
    return defaults;
  }

  /** Checks that the keyspace belongs to this store. Null means the default keyspace. */
  RocksKeyspace own(@Nullable Keyspace keyspace) {
    return own(keyspace, RocksKeyspace.class);
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    database.call("write", () -> {
      try (RocksBatch encoded = new RocksBatch(this, batch)) {
        BitSet locks = encoded.locks();
        database.locks().lock(locks);
        try {
          database.rocks().write(database.writes(durability), encoded.batch());
        } finally {
          database.locks().unlock(locks);
        }
      }
      database.counters().wrote(batch.count(), batch.byteCount());
      return true;
    });
  }

  @Override
  public Snapshot snapshot() {
    return database.call("take a snapshot", () -> new RocksSnapshot(this, database));
  }

  @Override
  public Keyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    return database.call("make a keyspace", () -> handles.computeIfAbsent(name, this::make));
  }

  private RocksKeyspace make(String name) {
    try {
      return new RocksKeyspace(this, database, name, catalog.make(name));
    } catch (RocksDBException e) {
      throw failure("make a keyspace", e);
    }
  }

  private StoreIoException failure(String what, RocksDBException cause) {
    return new StoreIoException(what, database.directory().toString(), cause);
  }

  @Override
  public Set<String> keyspaceNames() {
    return database.call("list keyspaces", () -> new TreeSet<>(catalog.names()));
  }

  @Override
  public void dropKeyspace(String name) {
    Objects.requireNonNull(name, "name");
    database.call("drop a keyspace", () -> {
      handles.compute(name, this::drop);
      return true;
    });
  }

  private @Nullable RocksKeyspace drop(String name, @Nullable RocksKeyspace handle) {
    try {
      if (!catalog.drop(name)) {
        throw new NoSuchKeyspaceException(name);
      }
    } catch (RocksDBException e) {
      throw failure("drop a keyspace", e);
    }
    if (handle != null) {
      handle.drop();
    }
    return null;
  }

  @Override
  public void sync() {
    database.call("sync", () -> {
      database.rocks().flushWal(true);
      return true;
    });
  }

  @Override
  public void flush() {
    database.call("flush", () -> {
      database.flush();
      return true;
    });
  }

  @Override
  public void settle() {
    database.call("settle", () -> {
      database.settle();
      return true;
    });
  }

  @Override
  public Stats stats() {
    return database.call("count", () -> {
      RocksCounters counters = database.counters();
      long live = database.rocks().getLongProperty("rocksdb.estimate-live-data-size");
      long memory = database.rocks().getLongProperty("rocksdb.cur-size-all-mem-tables");
      Map<String, Long> written = Map.of(
          "log",
          database.ticker(TickerType.WAL_FILE_BYTES),
          "flush",
          database.ticker(TickerType.FLUSH_WRITE_BYTES),
          "compact",
          database.ticker(TickerType.COMPACT_WRITE_BYTES));
      return new Stats(
          new Stats.Writes(
              counters.operations(),
              counters.userBytes(),
              written,
              database.ticker(TickerType.WAL_FILE_SYNCED),
              0),
          new Stats.Reads(counters.gets(), 0, new Stats.Cache(0, 0), new Stats.Filters(0, 0), 0, 0),
          new Stats.Space(database.diskBytes(), live, 0, 0),
          new Stats.Stalls(0, 0),
          Stats.Failures.NONE,
          new Stats.Resources(Map.of("memtables", memory), Stats.Mappings.NONE, counters.open()));
    });
  }

  @Override
  public boolean isClosed() {
    return database.isClosed();
  }

  @Override
  public void close() {
    database.close();
  }
}
