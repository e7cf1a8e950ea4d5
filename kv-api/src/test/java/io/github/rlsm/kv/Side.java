// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A store with the open objects of a random history: keyspaces by name, snapshots and iterators by
 * number. A history runs on two sides, the store under test and the model.
 *
 * <p>Threads: one thread at a time.
 */
public final class Side {

  private final StoreFactory factory;
  private final Path directory;
  private final @Nullable Side original;
  private final Map<String, Keyspace> keyspaces = new TreeMap<>();
  private final Map<Integer, Snapshot> snapshots = new TreeMap<>();
  private final Map<Integer, KvIterator> iterators = new HashMap<>();
  private KvStore store;

  private Side(StoreFactory factory, Path directory, @Nullable Side original, KvStore store) {
    this.factory = factory;
    this.directory = directory;
    this.original = original;
    this.store = store;
  }

  /** Returns the side of a store under test, opened in a directory. */
  public static Side ofStore(StoreFactory factory, Path directory, String opening) {
    return new Side(factory, directory, null, factory.open(directory, opening));
  }

  /** Returns the side of a fresh model of the store on another side. */
  public static Side ofModel(Side original) {
    ModelStore model = new ModelStore();
    model.rememberWrites(original.factory::partOf);
    return new Side(original.factory, original.directory, original, model);
  }

  /** Whether this is the side of the model. */
  public boolean isModel() {
    return original != null;
  }

  /** The current store; a reopening replaces it. */
  public KvStore store() {
    return store;
  }

  /**
   * Returns the handle of a keyspace, which may have been dropped. The empty name means the default
   * keyspace.
   */
  Keyspace keyspace(String name) {
    return name.isEmpty() ? store : keyspaces.computeIfAbsent(name, store::keyspace);
  }

  /** Gets a new handle of a keyspace. */
  void renewKeyspace(String name) {
    keyspaces.put(name, store.keyspace(name));
  }

  void openSnapshot(int number) {
    closeSnapshot(number);
    snapshots.put(number, store.snapshot());
  }

  void closeSnapshot(int number) {
    Snapshot open = snapshots.remove(number);
    if (open != null) {
      open.close();
    }
  }

  /** Returns a keyspace as of an open snapshot, or the live one if that snapshot is not open. */
  KvReader reader(int snapshot, String keyspace) {
    Snapshot open = snapshots.get(snapshot);
    if (open == null) {
      return keyspace(keyspace);
    }
    return keyspace.isEmpty() ? open : open.in(keyspace(keyspace));
  }

  void openIterator(int number, KvReader reader, ScanOptions options) {
    closeIterator(number);
    iterators.put(number, reader.scan(options));
  }

  /** Returns an open iterator, or null if that number is not open. */
  @Nullable
  KvIterator iterator(int number) {
    return iterators.get(number);
  }

  void closeIterator(int number) {
    KvIterator open = iterators.remove(number);
    if (open != null) {
      open.close();
    }
  }

  /**
   * Closes the store while snapshots and iterators are open, checks that they are unusable, and
   * opens the store again. Does nothing if the store is not persistent.
   *
   * @param opening how the factory opens it
   */
  void reopen(String opening) {
    if (!factory.isPersistent()) {
      return;
    }
    List<KvReader> readers = new ArrayList<>(snapshots.values());
    readers.addAll(keyspaces.values());
    readers.add(store);
    store.close();
    readers.forEach(reader -> assertClosed(() -> reader.get(TestBytes.bytes("key"))));
    iterators.values().forEach(iterator -> assertClosed(iterator::next));
    closeAll();
    keyspaces.clear();
    if (original == null) {
      factory.checkClosed(directory);
      store = factory.open(directory, opening);
    } else {
      store = ((ModelStore) store).reopen();
    }
  }

  /**
   * Crashes the store and opens it again. The model falls back to the recovered state.
   *
   * @return the recovered content
   */
  Map<String, Map<ByteBuffer, ByteBuffer>> crash(StoreFactory.Crash crash, String opening) {
    if (original == null) {
      iterators.clear(); // Their process is dead: they cannot be closed.
      snapshots.clear();
      store = factory.crash(directory, store, crash, opening);
    } else {
      closeAll();
      ((ModelStore) store).fallBack(factory, crash, original.contents());
    }
    keyspaces.clear();
    return contents();
  }

  /** Returns the entries of all keyspaces by name. The default keyspace has the empty name. */
  Map<String, Map<ByteBuffer, ByteBuffer>> contents() {
    Map<String, Map<ByteBuffer, ByteBuffer>> contents = new TreeMap<>();
    contents.put("", contents(store));
    for (String name : store.keyspaceNames()) {
      contents.put(name, contents(store.keyspace(name)));
    }
    return contents;
  }

  private static Map<ByteBuffer, ByteBuffer> contents(KvReader reader) {
    Map<ByteBuffer, ByteBuffer> entries = new HashMap<>();
    try (KvIterator iterator = reader.scan()) {
      while (iterator.next()) {
        entries.put(ByteBuffer.wrap(iterator.key()), ByteBuffer.wrap(iterator.value()));
      }
    }
    return entries;
  }

  private static void assertClosed(Runnable use) {
    try {
      use.run();
    } catch (StoreClosedException e) {
      return;
    }
    throw new AssertionError("still usable after its store was closed");
  }

  /** Closes all open objects and the store. */
  public void close() {
    closeAll();
    store.close();
  }

  private void closeAll() {
    iterators.values().forEach(KvIterator::close);
    iterators.clear();
    snapshots.values().forEach(Snapshot::close);
    snapshots.clear();
  }

  /**
   * Reads the whole content: the names of the keyspaces, the entries of each in both directions,
   * each of the keys, and the same for open snapshots.
   *
   * @param keys keys to read one by one, present or not
   */
  public List<@Nullable Object> everything(List<byte[]> keys) {
    List<@Nullable Object> all = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(store.keyspaceNames());
    all.add(List.copyOf(names));
    all.add(store.stats().resources().openSnapshots());
    addAll(all, store, keys);
    for (String name : names) {
      all.add(name);
      addAll(all, store.keyspace(name), keys);
    }
    snapshots.forEach((number, snapshot) -> {
      all.add("snapshot " + number);
      addAll(all, snapshot, keys);
      keyspaces.forEach((name, keyspace) -> {
        all.add("snapshot " + number + " of " + name);
        addAll(all, snapshot.in(keyspace), keys);
      });
    });
    return all;
  }

  private static void addAll(List<@Nullable Object> all, KvReader reader, List<byte[]> keys) {
    all.add(scan(reader, ScanOptions.all()));
    all.add(scan(reader, ScanOptions.builder().reverse().build()));
    all.add(reader.multiGet(keys));
  }

  /**
   * Returns all entries of a scan: key, value, key, value, and so on; only keys for a scan of keys.
   */
  static List<byte[]> scan(KvReader reader, ScanOptions options) {
    List<byte[]> entries = new ArrayList<>();
    try (KvIterator iterator = reader.scan(options)) {
      while (iterator.next()) {
        entries.add(iterator.key());
        if (!options.isKeysOnly()) {
          entries.add(iterator.value());
        }
      }
    }
    return entries;
  }
}
