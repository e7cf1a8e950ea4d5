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
 * A store and what a random history has open in it: keyspaces by name, snapshots and iterators by
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

  /** The side of a store under test, opened in a directory. */
  public static Side ofStore(StoreFactory factory, Path directory, long seed) {
    return new Side(factory, directory, null, factory.open(directory, seed));
  }

  /** The side of a fresh model of the store on another side. */
  public static Side ofModel(Side original) {
    ModelStore model = new ModelStore();
    model.rememberWrites(original.factory::partOf);
    return new Side(original.factory, original.directory, original, model);
  }

  /** Whether this is the model's side. */
  public boolean isModel() {
    return original != null;
  }

  /** The store, as it was last opened. */
  public KvStore store() {
    return store;
  }

  /**
   * The handle of a keyspace, perhaps of a dropped one; the default keyspace if the name is empty.
   */
  Keyspace keyspace(String name) {
    return name.isEmpty() ? store : keyspaces.computeIfAbsent(name, store::keyspace);
  }

  /** Gets the handle of a keyspace anew. */
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

  /** A keyspace as an open snapshot holds it, or the live one if that snapshot is not open. */
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

  /** An open iterator, or null if that one is not open. */
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
   * Closes the store with everything still open in it, sees to it that nothing of that can be used
   * any more, and opens it again. Does nothing if the store does not outlive that.
   *
   * @param seed for the factory
   */
  void reopen(long seed) {
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
      store = factory.open(directory, seed);
    } else {
      store = ((ModelStore) store).reopen();
    }
  }

  /**
   * Ends the life of the store by a crash and opens it again. The model falls back to the state
   * that the store was found in.
   *
   * @return everything that is left
   */
  Map<String, Map<ByteBuffer, ByteBuffer>> crash(StoreFactory.Crash crash, long seed) {
    if (original == null) {
      iterators.clear(); // Their process is dead: nothing of it can be closed.
      snapshots.clear();
      store = factory.crash(directory, store, crash, seed);
    } else {
      closeAll();
      ((ModelStore) store).fallBack(factory, crash, original.contents());
    }
    keyspaces.clear();
    return contents();
  }

  /** The entries of all keyspaces by their names; of the default one under the empty name. */
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

  /** Closes what is open, the store too. */
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
   * Everything there is to be read: the names of the keyspaces, the entries of each, forwards and
   * backwards, each of the keys, and the same for open snapshots.
   *
   * @param keys keys to be read one by one, present or not
   */
  public List<@Nullable Object> everything(List<byte[]> keys) {
    List<@Nullable Object> all = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(store.keyspaceNames());
    all.add(List.copyOf(names));
    all.add(store.stats().openSnapshots());
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

  /** All entries of a scan: key, value, key, value, and so on; only keys if it reads no others. */
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
