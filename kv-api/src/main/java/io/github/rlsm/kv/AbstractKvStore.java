// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A base class for stores that keep their default keyspace in a separate object. Forwards every
 * keyspace method of the store to that object.
 *
 * <p>Threads: as the keyspace.
 */
public abstract class AbstractKvStore implements KvStore {

  /** Called by subclasses. */
  protected AbstractKvStore() {}

  /** Returns the default keyspace: always the same object, which is not this store. */
  protected abstract Keyspace defaultKeyspace();

  /**
   * Casts a keyspace passed in by a caller to the keyspace type of this store. Returns the default
   * keyspace for null and for the store itself.
   *
   * @param type the type of this store's keyspaces, including the default one
   * @throws IllegalArgumentException if the keyspace belongs to another store
   */
  @SuppressWarnings("ReferenceEquality") // A keyspace belongs to one store, not to an equal one.
  protected final <K extends Keyspace> K own(@Nullable Keyspace keyspace, Class<K> type) {
    Keyspace meant = keyspace == null || keyspace == this ? defaultKeyspace() : keyspace;
    if (type.isInstance(meant) && meant.store() == this) {
      return type.cast(meant);
    }
    throw new IllegalArgumentException(
        "keyspace \"" + meant.name() + "\" belongs to another store; use a keyspace of this one");
  }

  @Override
  public String name() {
    return defaultKeyspace().name();
  }

  @Override
  public KvStore store() {
    return this;
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    return defaultKeyspace().get(key, offset, length);
  }

  @Override
  public boolean contains(byte[] key, int offset, int length) {
    return defaultKeyspace().contains(key, offset, length);
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    return defaultKeyspace().multiGet(keys);
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    return defaultKeyspace().scan(options);
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
    defaultKeyspace().put(key, keyOffset, keyLength, value, valueOffset, valueLength, durability);
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    defaultKeyspace().delete(key, offset, length, durability);
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    return defaultKeyspace().compareAndSet(key, expected, replacement, durability);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    return defaultKeyspace().putIfAbsent(key, value, durability);
  }
}
