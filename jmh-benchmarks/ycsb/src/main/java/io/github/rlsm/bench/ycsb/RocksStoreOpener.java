// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import io.github.rlsm.bench.rocks.RocksKvStore;
import io.github.rlsm.bench.rocks.RocksSettings;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import site.ycsb.db.rlsm.StoreOpener;

/**
 * Opens RocksDB as the store "rocksdb". Both options are required: the size of the block cache and
 * the size of a memtable, in bytes. {@link RocksKvStore} sets the other options.
 *
 * <p>Threads: see {@link StoreOpener}.
 */
public final class RocksStoreOpener implements StoreOpener {

  static final String NAME = "rocksdb";
  static final String CACHE_BYTES = "cacheBytes";
  static final String WRITE_BUFFER_BYTES = "writeBufferBytes";
  private static final Set<String> OPTIONS = new TreeSet<>(Set.of(CACHE_BYTES, WRITE_BUFFER_BYTES));

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public KvStore open(Path directory, Map<String, String> options) {
    if (!options.keySet().equals(OPTIONS)) {
      throw new InvalidOptionsException(List.of("the store " + NAME + " takes the options "
          + OPTIONS + " and no others, found " + new TreeSet<>(options.keySet())));
    }
    return RocksKvStore.open(
        directory,
        new RocksSettings(bytes(options, CACHE_BYTES), bytes(options, WRITE_BUFFER_BYTES), true));
  }

  private static long bytes(Map<String, String> options, String name) {
    String value = options.get(name);
    try {
      long bytes = Long.parseLong(value);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // The error below names the value.
    }
    throw new InvalidOptionsException(
        List.of(name + " is " + value + ", must be a number of bytes above 0"));
  }
}
