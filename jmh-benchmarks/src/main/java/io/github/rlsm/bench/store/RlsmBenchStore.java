// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import io.github.rlsm.LogDevice;
import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Stats;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * This project's store, with the memory that RocksDB gets for its cache and write buffers.
 *
 * <p>Threads: see {@link BenchStore}.
 */
final class RlsmBenchStore implements BenchStore {

  private static final long DEVICE_BYTES = 128L << 20;

  private final KvStore store;
  private final int valueBytes;

  private RlsmBenchStore(KvStore store, int valueBytes) {
    this.store = store;
    this.valueBytes = valueBytes;
  }

  static RlsmBenchStore open(Path directory, StoreSettings settings) {
    return open(directory, settings, Map.of());
  }

  /** Opens the store with its log on a preallocated file, unless the options name a device. */
  static RlsmBenchStore openDirect(Path directory, StoreSettings settings) {
    Path device = directory.resolve("device");
    if (!settings.rlsmOptions().containsKey("directLog") && Files.notExists(device)) {
      LogDevice.at(device).init(DEVICE_BYTES);
    }
    return open(directory.resolve("store"), settings, Map.of("directLog", device.toString()));
  }

  private static RlsmBenchStore open(
      Path directory, StoreSettings settings, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("memoryBudget", Long.toString(settings.budgetBytes()));
    options.put("defaultDurability", (settings.sync() ? Durability.SYNC : Durability.OS).name());
    options.putAll(settings.rlsmOptions());
    KvStore store = Rlsm.open(directory, RlsmOptions.fromProperties(options));
    return new RlsmBenchStore(store, settings.valueBytes());
  }

  @Override
  public Session openSession() {
    return new RlsmSession();
  }

  @Override
  public long settle() {
    long begin = System.nanoTime();
    store.settle();
    return System.nanoTime() - begin;
  }

  @Override
  public Map<String, String> statistics() {
    Stats stats = store.stats();
    Map<String, String> statistics = new LinkedHashMap<>();
    statistics.put("writes", stats.writes().toString());
    statistics.put("reads", stats.reads().toString());
    statistics.put("space", stats.space().toString());
    statistics.put("stalls", stats.stalls().toString());
    statistics.put("memoryBytes", stats.resources().memoryBytes().toString());
    return statistics;
  }

  @Override
  public void close() {
    store.close();
  }

  /** One client, with heap buffers. */
  private final class RlsmSession implements Session {

    private final ByteBuffer scannedKey = ByteBuffer.allocate(StoreSettings.KEY_BYTES);
    private final ByteBuffer scannedValue = ByteBuffer.allocate(valueBytes);

    @Override
    public void put(ByteBuffer key, ByteBuffer value) {
      store.put(
          key.array(),
          key.arrayOffset() + key.position(),
          key.remaining(),
          value.array(),
          value.arrayOffset() + value.position(),
          value.remaining(),
          store.defaultDurability());
    }

    @Override
    public boolean get(ByteBuffer key, ByteBuffer value) {
      boolean found = store.get(key, value.clear()) != KvReader.NOT_FOUND;
      value.flip();
      return found;
    }

    @Override
    public void delete(ByteBuffer key) {
      store.delete(key, store.defaultDurability());
    }

    @Override
    public int scan(ByteBuffer from, int limit, EntryVisitor visitor) {
      ScanOptions options = ScanOptions.builder().from(from).limit(limit).build();
      int visited = 0;
      try (KvIterator entries = store.scan(options)) {
        while (entries.next()) {
          entries.key(scannedKey.clear());
          entries.value(scannedValue.clear());
          visitor.entry(scannedKey.flip(), scannedValue.flip());
          visited++;
        }
      }
      return visited;
    }

    @Override
    public void close() {}
  }
}
