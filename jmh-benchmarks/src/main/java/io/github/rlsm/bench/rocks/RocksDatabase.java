// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.versionset.PinCount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/**
 * The native side of a store: its native objects, and a guard for every call. Calls after the close
 * fail, and the close waits for running calls. So no call uses freed native memory.
 *
 * <p>The options are those of {@code RocksBenchStore}: the wiki's "Setup Options and Basic Tuning",
 * without compression.
 *
 * <p>Threads: any.
 */
final class RocksDatabase {

  /** A call to RocksDB. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws RocksDBException;
  }

  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final long BYTES_PER_SYNC = 1 << 20;
  private static final String NAMED = "keyspaces";

  private final Path directory;

  /** Native objects to close, in reverse order. */
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();

  private final PinCount inside = new PinCount();
  private final CompletableFuture<Boolean> empty = new CompletableFuture<>();
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

  /** Open iterators and snapshots. The close of the store closes the remaining ones. */
  private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

  private final RocksCounters counters = new RocksCounters();
  private final KeyLocks locks = new KeyLocks();
  private final ReadOptions reads;
  private final WriteOptions unsynced;
  private final WriteOptions synced;
  private final Statistics statistics;
  private final boolean counted;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();
  private final RocksDB rocks;

  @GuardedBy("this")
  private boolean retired;

  private RocksDatabase(Path directory, RocksSettings settings) throws RocksDBException {
    this.directory = directory;
    this.counted = settings.statistics();
    this.statistics = own(new Statistics());
    this.reads = own(new ReadOptions());
    this.unsynced = own(new WriteOptions());
    this.synced = own(new WriteOptions().setSync(true));
    ColumnFamilyOptions family = own(new ColumnFamilyOptions())
        .setTableFormatConfig(new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(settings.cacheBytes())))
            .setFilterPolicy(own(new BloomFilter(BLOOM_BITS_PER_KEY)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true))
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setWriteBufferSize(settings.writeBufferBytes());
    DBOptions options = own(new DBOptions())
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setMaxBackgroundJobs(Math.max(2, Runtime.getRuntime().availableProcessors()))
        .setBytesPerSync(BYTES_PER_SYNC);
    if (counted) {
      options.setStatistics(statistics);
    }
    this.rocks = own(RocksDB.open(
        options,
        directory.toString(),
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family),
            new ColumnFamilyDescriptor(NAMED.getBytes(StandardCharsets.UTF_8), family)),
        families));
    families.forEach(this::own);
  }

  /** Opens a database, and creates it if necessary. */
  static RocksDatabase open(Path directory, RocksSettings settings) {
    RocksDB.loadLibrary();
    try {
      return new RocksDatabase(directory, settings);
    } catch (RocksDBException e) {
      String message = String.valueOf(e.getMessage());
      if (message.contains("lock")) {
        throw new StoreLockedException(directory.toString(), message);
      }
      throw new StoreIoException("open RocksDB", directory.toString(), e);
    }
  }

  private <T extends AutoCloseable> T own(T resource) {
    resources.push(resource);
    return resource;
  }

  RocksDB rocks() {
    return rocks;
  }

  Path directory() {
    return directory;
  }

  /** The sum of the lengths of all files. */
  long diskBytes() {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        try {
          bytes += Files.size(file);
        } catch (NoSuchFileException e) {
          // RocksDB deleted the file after the listing: it uses no space.
        }
      }
    } catch (IOException e) {
      throw new StoreIoException("list", directory.toString(), e);
    }
    return bytes;
  }

  /** The column family of the default keyspace. */
  ColumnFamilyHandle defaults() {
    return families.get(0);
  }

  /** The column family of all named keyspaces and of their names. */
  ColumnFamilyHandle named() {
    return families.get(1);
  }

  RocksCounters counters() {
    return counters;
  }

  KeyLocks locks() {
    return locks;
  }

  ReadOptions reads() {
    return reads;
  }

  WriteOptions writes(Durability durability) {
    return durability == Durability.SYNC ? synced : unsynced;
  }

  /** A counter of RocksDB; 0 if RocksDB does not count. */
  long ticker(TickerType ticker) {
    return counted ? statistics.getTickerCount(ticker) : 0;
  }

  void flush() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      rocks.flush(flush, families);
    }
  }

  /** Flushes, then waits until no flush and no compaction runs or is pending. */
  void settle() throws RocksDBException {
    flush();
    BackgroundWork.await(rocks, families);
  }

  /** Registers an object that must be closed before the store is. */
  void track(Runnable close) {
    open.add(close);
    counters.opened(1);
  }

  /** Closes a tracked object, unless the close of the store does so. */
  void release(Runnable close) {
    int stripe = PinCount.stripe();
    if (!inside.tryPin(stripe)) {
      return;
    }
    try {
      if (open.remove(close)) {
        close.run();
        counters.opened(-1);
      }
    } finally {
      leave(stripe);
    }
  }

  /** Executes a call. The store cannot close before the call returns. */
  <T> T call(String what, Call<T> call) {
    int stripe = PinCount.stripe();
    if (!inside.tryPin(stripe)) {
      throw new StoreClosedException("store");
    }
    try {
      return call.run();
    } catch (RocksDBException e) {
      throw new StoreIoException(what, directory.toString(), e);
    } finally {
      leave(stripe);
    }
  }

  private void leave(int stripe) {
    if (inside.unpin(stripe)) {
      empty.complete(true);
    }
  }

  synchronized boolean isClosed() {
    return retired;
  }

  private synchronized boolean retire() {
    boolean first = !retired;
    retired = true;
    return first;
  }

  /** Waits for running calls, then frees everything. A second close waits for the first. */
  void close() {
    if (retire()) {
      if (inside.retire()) {
        empty.complete(true);
      }
      empty.join();
      open.forEach(Runnable::run);
      free();
      closed.complete(true);
    } else {
      closed.join();
    }
  }

  private void free() {
    StoreIoException failure = null;
    try {
      rocks.flushWal(true);
    } catch (RocksDBException e) {
      failure = new StoreIoException("close RocksDB", directory.toString(), e);
    }
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new StoreIoException("close RocksDB", directory.toString(), e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
