// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One keyspace of a {@link ModelStore}, possibly the default one.
 *
 * <p>Threads: every method holds the store's monitor from its first check to its last effect.
 */
final class ModelKeyspace extends ModelReader implements Keyspace {

  private final String name;
  private final ModelMap entries;
  private boolean dropped;

  ModelKeyspace(ModelStore store, String name, ModelMap entries) {
    super(store);
    this.name = name;
    this.entries = entries;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KvStore store() {
    return store;
  }

  /** Returns the same keyspace for the store that replaces this keyspace's store. */
  ModelKeyspace movedTo(ModelStore successor) {
    return new ModelKeyspace(successor, name, entries.snapshot());
  }

  /** Marks the keyspace as dropped; called with the store's monitor held. */
  void drop() {
    dropped = true;
  }

  @Override
  ModelMap entries() {
    store.checkOpen();
    if (dropped) {
      throw new NoSuchKeyspaceException(name);
    }
    return entries;
  }

  /**
   * Sets the value, or removes the key if the value is null; called with the store's monitor held.
   */
  void set(byte[] key, byte @Nullable [] value) {
    ModelMap map = entries();
    ModelHistory history = store.history();
    if (history != null) {
      history.replaced(map, key, map.get(key));
    }
    map.set(key, value);
    store.counters().countWrite(key.length + (value == null ? 0 : value.length));
  }

  @Override
  public void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    byte[] newKey = Copies.key(key, keyOffset, keyLength);
    byte[] newValue = Copies.value(value, valueOffset, valueLength);
    Objects.requireNonNull(durability, "durability");
    synchronized (store) {
      store.change(durability, () -> set(newKey, newValue));
    }
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    byte[] doomed = Copies.key(key, offset, length);
    Objects.requireNonNull(durability, "durability");
    synchronized (store) {
      store.change(durability, () -> set(doomed, null));
    }
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    byte[] sameKey = Copies.key(key);
    byte[] oldValue = Copies.valueOrNull(expected);
    byte[] newValue = Copies.valueOrNull(replacement);
    Objects.requireNonNull(durability, "durability");
    synchronized (store) {
      if (!Arrays.equals(entries().get(sameKey), oldValue)) {
        return false;
      }
      store.change(durability, () -> set(sameKey, newValue));
      return true;
    }
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    byte[] newKey = Copies.key(key);
    byte[] newValue = Copies.value(value);
    Objects.requireNonNull(durability, "durability");
    synchronized (store) {
      byte[] present = entries().get(newKey);
      if (present == null) {
        store.change(durability, () -> set(newKey, newValue));
      }
      return Copies.orNull(present);
    }
  }
}
