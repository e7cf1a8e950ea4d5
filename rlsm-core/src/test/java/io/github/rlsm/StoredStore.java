// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores in the repository as earlier releases wrote them, one for each feature that shapes the
 * files. Each is an archive of its directory, its log device if it has one, its options, and its
 * content. The content lists the length and the checksum of each key's value.
 */
@SuppressWarnings("ImmutableEnumChecker") // options and writers are immutable, but not marked so
enum StoredStore {
  /** A store that was opened and closed without a write. */
  EMPTY(tiny(), store -> {}),
  /** Tables without compression, several partitions. */
  TABLES(tiny(), StoredStore::writeTables),
  /** Tables compressed by LZ4, in pages of 4096 bytes. */
  TABLES_LZ4(tiny().compression(Compression.LZ4).pageBytes(4096), StoredStore::writeTables),
  /** Tables compressed by Zstandard, in pages of 4096 bytes. */
  TABLES_ZSTD(tiny().compression(Compression.ZSTD).pageBytes(4096), StoredStore::writeTables),
  /** Tables without filters, in pages of 4096 bytes. */
  TABLES_UNFILTERED(tiny().filterBitsPerKey(0).pageBytes(4096), StoredStore::writeTables),
  /** All values in the value log. */
  SEPARATED(tiny().separationThreshold(1), StoredStore::writeTables),
  /** Keyspaces, one of them dropped, one created again under its old name. */
  KEYSPACES(tiny(), StoredStore::writeKeyspaces),
  /** A log that was closed but not flushed. */
  CLOSED_LOG(roomy(), StoredStore::writeLog),
  /** A log whose process died. */
  LOG(roomy(), StoredStore::writeLog, true),
  /** A log on a device, closed. */
  DEVICE_CLOSED(device(), StoredStore::writeLog),
  /** A log on a device, whose process died. */
  DEVICE(device(), StoredStore::writeLog, true),
  /** Value segments with holes. */
  HOLES(tiny().maxSpaceAmplification(10), StoredStore::overwrite),
  /** Values moved to separate segments by a collection. */
  COLLECTED(tiny().maxSpaceAmplification(1.05), store -> {
    overwrite(store);
    ((RlsmStore) store).collect();
  }),
  /** Two shards with batches over both in their logs. */
  SHARDS(tiny().shards(2), StoredStore::writeBatches),
  /** Two shards whose process died. */
  SHARDS_LOG(roomy().shards(2), StoredStore::writeBatches, true);

  /** Entries of an archive, besides the store's directory. */
  static final String DIRECTORY = "store/";

  static final String DEVICE_FILE = "device";
  static final String OPTIONS_FILE = "options.properties";
  static final String CONTENTS_FILE = "contents.properties";

  private static final int KEYS = 300;

  private final RlsmOptions options;

  private final Consumer<KvStore> writer;
  private final boolean killed;

  StoredStore(RlsmOptions.Builder options, Consumer<KvStore> writer) {
    this(options, writer, false);
  }

  StoredStore(RlsmOptions.Builder options, Consumer<KvStore> writer, boolean killed) {
    this.options = options.build();
    this.writer = writer;
    this.killed = killed;
  }

  private static RlsmOptions.Builder tiny() {
    return roomy().logSegmentBytes(16 << 10).memtableEntries(64);
  }

  private static RlsmOptions.Builder roomy() {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .separationThreshold(200)
        .pageBytes(512)
        .partitionBytes(8192)
        .linkBytes(300)
        .backgroundThreads(1);
  }

  private static RlsmOptions.Builder device() {
    return roomy().directLog(Path.of("/", DEVICE_FILE));
  }

  /** The name of the archive. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".zip";
  }

  /** Returns options with the given file as log device, if the store uses one. */
  static RlsmOptions options(Map<String, String> properties, Path device) {
    SortedMap<String, String> own = new TreeMap<>(properties);
    if (RlsmOptions.fromProperties(properties).directLog().isPresent()) {
      own.put("directLog", device.toString());
    }
    return RlsmOptions.fromProperties(own);
  }

  /** Writes the store below an empty folder, and archives it. */
  void write(Path folder, Path archive) throws IOException {
    Path directory = folder.resolve(DIRECTORY);
    Path device = folder.resolve(DEVICE_FILE);
    if (options.directLog().isPresent()) {
      LogDevice.at(device).init(4 * LogDevice.BYTES_MIN, Set.of());
    }
    KvStore store = Rlsm.open(directory, options(options.toProperties(), device));
    try (store) {
      writer.accept(store);
      if (killed) {
        archive(folder, contents(store), archive);
      }
    }
    if (!killed) {
      SortedMap<String, String> contents;
      try (KvStore again = Rlsm.open(directory, options(options.toProperties(), device))) {
        contents = contents(again);
      }
      archive(folder, contents, archive);
    }
  }

  private void archive(Path folder, SortedMap<String, String> contents, Path archive)
      throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        add(zip, folder.relativize(file).toString(), Files.readAllBytes(file));
      }
      add(zip, OPTIONS_FILE, lines(options.toProperties()));
      add(zip, CONTENTS_FILE, lines(contents));
    }
  }

  private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  private static byte[] lines(SortedMap<String, String> properties) {
    StringBuilder lines = new StringBuilder();
    properties.forEach(
        (name, value) -> lines.append(name).append('=').append(value).append('\n'));
    return lines.toString().getBytes(UTF_8);
  }

  /** Reads properties from a file of an archive. */
  static SortedMap<String, String> properties(Path file) throws IOException {
    Properties read = new Properties();
    read.load(Files.newBufferedReader(file));
    SortedMap<String, String> properties = new TreeMap<>();
    read.stringPropertyNames().forEach(name -> properties.put(name, read.getProperty(name)));
    return properties;
  }

  /** Returns the length and the checksum of each value, by {@code keyspace/key}. */
  static SortedMap<String, String> contents(KvStore store) {
    SortedMap<String, String> contents = new TreeMap<>();
    contents(store, contents);
    store.keyspaceNames().forEach(name -> {
      contents.put(name + "/", "a keyspace");
      contents(store.keyspace(name), contents);
    });
    return contents;
  }

  private static void contents(Keyspace keyspace, SortedMap<String, String> contents) {
    try (KvIterator entries = keyspace.scan()) {
      while (entries.next()) {
        byte[] value = entries.value();
        CRC32C crc = new CRC32C();
        crc.update(value);
        contents.put(
            keyspace.name() + "/" + new String(entries.key(), UTF_8),
            String.format(Locale.ROOT, "%d-%08x", value.length, crc.getValue()));
      }
    }
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "key-%04d", i).getBytes(UTF_8);
  }

  /** Returns a value that compresses well, so that the archives stay small. */
  private static byte[] value(int i, int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) i);
    byte[] start = ("value " + i).getBytes(UTF_8);
    System.arraycopy(start, 0, value, 0, Math.min(start.length, length));
    return value;
  }

  private static int length(int i) {
    return i % 7 == 0 ? 700 : i % 11 == 0 ? 0 : 10 + i % 50;
  }

  private static void writeTables(KvStore store) {
    writeLog(store);
    ((RlsmStore) store).settle();
    for (int i = 0; i < KEYS; i += 9) {
      store.put(key(i), value(i + 1, length(i)));
    }
    store.flush();
  }

  /** Writes records of every kind. */
  private static void writeLog(KvStore store) {
    for (int i = 0; i < KEYS; i++) {
      Durability durability = Durability.values()[i % 3];
      store.put(key(i * 37 % KEYS), value(i, length(i)), durability);
    }
    for (int i = 0; i < KEYS; i += 5) {
      store.delete(key(i));
    }
    store.compareAndSet(key(1), store.get(key(1)), value(1, 300));
    store.compareAndSet(key(2), null, value(2, 300));
    store.putIfAbsent(key(5), value(5, 20));
    store.write(new WriteBatch()
        .put(key(3), value(33, 500))
        .delete(key(4))
        .put(key(KEYS), value(KEYS, 20)));
    store.sync();
  }

  private static void writeKeyspaces(KvStore store) {
    writeLog(store);
    for (String name : List.of("users", "gone", "again")) {
      store.keyspace(name).put(key(1), value(1, 30));
      store.keyspace(name).put(key(2), value(2, 900));
      store.flush();
    }
    store.dropKeyspace("gone");
    store.dropKeyspace("again");
    store.keyspace("again").put(key(3), value(3, 30));
  }

  /** Turns most large values into garbage, in runs of whole blocks. */
  private static void overwrite(KvStore store) {
    for (int i = 0; i < 30; i++) {
      store.put(key(i), value(i, 12_000));
    }
    ((RlsmStore) store).settle();
    for (int i = 0; i < 30; i++) {
      if (i % 10 != 0) {
        store.put(key(i), value(i, 10));
      }
    }
    ((RlsmStore) store).settle();
  }

  private static void writeBatches(KvStore store) {
    for (int i = 0; i < KEYS; i += 3) {
      store.write(new WriteBatch()
          .put(key(i), value(i, length(i)))
          .put(key(i + 1), value(i, 20))
          .put(store.keyspace("users"), key(i), value(i, 5)));
    }
    store.delete(key(3));
    store.sync();
  }

  /** Returns the value of a key that is in no stored store. */
  static byte @Nullable [] fresh(KvStore store) {
    return store.get(key(KEYS + 1));
  }

  /** Writes a key that is in no stored store, and overwrites some others. */
  static void writeOn(KvStore store) {
    store.put(key(KEYS + 1), value(7, 1_000), Durability.SYNC);
    for (int i = 0; i < KEYS; i += 2) {
      store.put(key(i), value(i, 600));
    }
    store.flush();
  }
}
