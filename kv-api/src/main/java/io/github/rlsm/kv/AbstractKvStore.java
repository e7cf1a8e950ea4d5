// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A start for stores that have an object for their default keyspace: what is asked of the store as
 * a keyspace is asked of that one.
 *
 * <p>Threads: as the keyspace.
 */
public abstract class AbstractKvStore implements KvStore {

  /** For implementations. */
  protected AbstractKvStore() {}

  /** The default keyspace: always the same object, which is not this store. */
  protected abstract Keyspace defaultKeyspace();

  /**
   * A keyspace that a caller has passed in, as one of this store's own; the default one for the
   * store itself and for null.
   *
   * @param type of this store's keyspaces, the default one among them
   * @throws IllegalArgumentException if it belongs to another store
   */
  @SuppressWarnings("ReferenceEquality") // A keyspace belongs to one store, not to an equal one.
  protected final <K extends Keyspace> K own(@Nullable Keyspace keyspace, Class<K> type) {
    Keyspace meant = keyspace == null || keyspace == this ? defaultKeyspace() : keyspace;
    if (type.isInstance(meant) && meant.store() == this) {
      return type.cast(meant);
    }
    throw new IllegalArgumentException(
        "keyspace \"" + meant.name() + "\" belongs to another store");
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
