// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store and what a random history has open in it: keyspaces by name, snapshots and iterators by
 * number. A history runs on two sides, the store under test and the model.
 *
 * <p>Threads: one thread at a time.
 */
public final class Side {

  private final boolean model;
  private final @Nullable UnaryOperator<KvStore> reopen;
  private final Map<String, Keyspace> keyspaces = new TreeMap<>();
  private final Map<Integer, Snapshot> snapshots = new TreeMap<>();
  private final Map<Integer, KvIterator> iterators = new HashMap<>();
  private KvStore store;

  private Side(boolean model, KvStore store, @Nullable UnaryOperator<KvStore> reopen) {
    this.model = model;
    this.store = store;
    this.reopen = reopen;
  }

  /**
   * The side of a store under test.
   *
   * @param reopen from the closed store to the one in its place; null if it does not outlive close
   */
  public static Side ofStore(KvStore store, @Nullable UnaryOperator<KvStore> reopen) {
    return new Side(false, store, reopen);
  }

  /**
   * The side of a fresh model.
   *
   * @param persistent whether the store on the other side outlives its close
   */
  public static Side ofModel(boolean persistent) {
    return new Side(
        true, new ModelStore(), persistent ? closed -> ((ModelStore) closed).reopen() : null);
  }

  /** Whether this is the model's side. */
  public boolean isModel() {
    return model;
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
   */
  void reopen() {
    if (reopen == null) {
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
    store = reopen.apply(store);
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
