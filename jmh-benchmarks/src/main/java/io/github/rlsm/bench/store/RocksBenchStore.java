// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import io.github.rlsm.bench.rocks.BackgroundWork;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * RocksDB through rocksdbjni, with the options of the wiki's "Setup Options and Basic Tuning",
 * without compression. The write-ahead log is on; it is synced only if each write must be durable.
 *
 * <p>Threads: see {@link BenchStore}.
 */
final class RocksBenchStore implements BenchStore {

  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final long BYTES_PER_SYNC = 1 << 20;
  private static final long BLOB_BYTES_MIN = 512;
  private static final long RECYCLED_LOGS = 4;
  private static final long RECYCLED_LOG_BYTES = 8 << 20;

  private final Options options;
  private final Cache cache;
  private final Filter filter;
  private final WriteOptions writeOptions;
  private final RocksDB database;

  private RocksBenchStore(
      Options options, Cache cache, Filter filter, WriteOptions writeOptions, RocksDB database) {
    this.options = options;
    this.cache = cache;
    this.filter = filter;
    this.writeOptions = writeOptions;
    this.database = database;
  }

  static RocksBenchStore open(Path directory, StoreSettings settings, boolean blobFiles) {
    return open(directory, settings, options -> {
      if (blobFiles) {
        options
            .setEnableBlobFiles(true)
            .setMinBlobSize(BLOB_BYTES_MIN)
            .setEnableBlobGarbageCollection(true);
      }
    });
  }

  /** Opens RocksDB with recycled logs: file lengths do not change, and no blocks are allocated. */
  static RocksBenchStore openRecycling(Path directory, StoreSettings settings) {
    return open(
        directory,
        settings,
        options ->
            options.setRecycleLogFileNum(RECYCLED_LOGS).setWriteBufferSize(RECYCLED_LOG_BYTES));
  }

  private static RocksBenchStore open(
      Path directory, StoreSettings settings, Consumer<Options> changes) {
    RocksDB.loadLibrary();
    Cache cache = new LRUCache(settings.cacheBytes());
    Filter filter = new BloomFilter(BLOOM_BITS_PER_KEY);
    BlockBasedTableConfig table = new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setFilterPolicy(filter)
        .setCacheIndexAndFilterBlocks(true)
        .setPinL0FilterAndIndexBlocksInCache(true);
    Options options = new Options()
        .setCreateIfMissing(true)
        .setTableFormatConfig(table)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setWriteBufferSize(settings.writeBufferBytes())
        .setMaxBackgroundJobs(Math.max(2, Runtime.getRuntime().availableProcessors()))
        .setBytesPerSync(BYTES_PER_SYNC);
    changes.accept(options);
    WriteOptions writeOptions = new WriteOptions().setSync(settings.sync());
    try {
      RocksDB database = RocksDB.open(options, directory.toString());
      return new RocksBenchStore(options, cache, filter, writeOptions, database);
    } catch (RocksDBException e) {
      throw new StoreFailure("open RocksDB", e);
    }
  }

  @Override
  public Session openSession() {
    return new RocksSession(database, writeOptions);
  }

  @Override
  public long settle() {
    long begin = System.nanoTime();
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush);
      BackgroundWork.await(database, List.of(database.getDefaultColumnFamily()));
    } catch (RocksDBException e) {
      throw new StoreFailure("settle RocksDB", e);
    }
    return System.nanoTime() - begin;
  }

  @Override
  public Map<String, String> statistics() {
    Map<String, String> statistics = new LinkedHashMap<>();
    try {
      for (String property : new String[] {
        "rocksdb.estimate-num-keys",
        "rocksdb.total-sst-files-size",
        "rocksdb.live-blob-file-size",
        "rocksdb.block-cache-usage",
        "rocksdb.estimate-table-readers-mem",
        "rocksdb.stats"
      }) {
        statistics.put(property, database.getProperty(property));
      }
    } catch (RocksDBException e) {
      throw new StoreFailure("read RocksDB's statistics", e);
    }
    return statistics;
  }

  @Override
  public void close() {
    database.close();
    options.close();
    writeOptions.close();
    filter.close();
    cache.close();
  }
}
