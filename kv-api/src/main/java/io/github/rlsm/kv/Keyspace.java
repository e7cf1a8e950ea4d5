// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named, ordered map of byte strings inside a {@link KvStore}.
 *
 * <p>Once the keyspace is dropped, every method but {@link #name()} and {@link #store()} throws
 * {@link NoSuchKeyspaceException}, for good: a keyspace made later under the same name is another
 * one. Iterators and snapshots that were open by then go on as if nothing had happened. Once the
 * store is closed, that is what the error says, dropped or not.
 *
 * <p>Threads: every method may be called from any thread. Single operations are linearizable: once
 * a write has returned, every later read sees it or something newer.
 *
 * <p>Writes throw {@link InvalidEntryException} for a key or value outside the limits,
 * {@link StoreClosedException} after close, {@link NoSuchKeyspaceException} once the keyspace is
 * dropped, {@link DiskFullException} or {@link StoreIoException} when the write itself fails, and
 * {@link StoreFailedException} after an earlier failure left the store read-only. A write that
 * throws may or may not be found after a crash, as a whole or not at all; it is never acknowledged.
 *
 * <p>Methods without a {@link Durability} use the store's default, see
 * {@link KvStore#defaultDurability()}.
 */
public interface Keyspace extends KvReader {

  /** The name under which this keyspace was created; empty for the default keyspace. */
  String name();

  /** The store this keyspace belongs to. */
  KvStore store();

  /** Sets the value of the key {@code key[keyOffset, keyOffset + keyLength)}. */
  void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability);

  /** Sets the value of a key. */
  default void put(byte[] key, byte[] value, Durability durability) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    put(key, 0, key.length, value, 0, value.length, durability);
  }

  /** Sets the value of a slice, with the store's default durability. */
  default void put(
      byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    put(key, keyOffset, keyLength, value, valueOffset, valueLength, store().defaultDurability());
  }

  /** Sets the value of a key, with the store's default durability. */
  default void put(byte[] key, byte[] value) {
    put(key, value, store().defaultDurability());
  }

  /** Sets the value of a key, both in heap or direct buffers. */
  default void put(ByteBuffer key, ByteBuffer value, Durability durability) {
    put(Buffers.toKey(key), Buffers.toValue(value, "value"), durability);
  }

  /** As {@link #put(ByteBuffer, ByteBuffer, Durability)} with the store's default durability. */
  default void put(ByteBuffer key, ByteBuffer value) {
    put(key, value, store().defaultDurability());
  }

  /** Removes the key {@code key[offset, offset + length)}; no error if it is absent. */
  void delete(byte[] key, int offset, int length, Durability durability);

  /** Removes a key; no error if it is absent. */
  default void delete(byte[] key, Durability durability) {
    delete(Objects.requireNonNull(key, "key"), 0, key.length, durability);
  }

  /** Removes a slice, with the store's default durability. */
  default void delete(byte[] key, int offset, int length) {
    delete(key, offset, length, store().defaultDurability());
  }

  /** Removes a key, with the store's default durability. */
  default void delete(byte[] key) {
    delete(key, store().defaultDurability());
  }

  /** Removes a key given in a heap or direct buffer. */
  default void delete(ByteBuffer key, Durability durability) {
    delete(Buffers.toKey(key), durability);
  }

  /** As {@link #delete(ByteBuffer, Durability)} with the store's default durability. */
  default void delete(ByteBuffer key) {
    delete(key, store().defaultDurability());
  }

  /**
   * Replaces the key's value if it is what the caller expects, as one atomic step.
   *
   * @param expected the value the key must have, byte for byte; null if it must be absent
   * @param replacement the new value; null to remove the key
   * @return whether the value was as expected, and so was replaced
   */
  boolean compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] replacement, Durability durability);

  /** As the four-argument form with the store's default durability. */
  default boolean compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] replacement) {
    return compareAndSet(key, expected, replacement, store().defaultDurability());
  }

  /**
   * As {@link #compareAndSet(byte[], byte[], byte[], Durability)}, with everything in heap or
   * direct buffers; slices of arrays go in as {@link ByteBuffer#wrap(byte[], int, int)}.
   */
  default boolean compareAndSet(
      ByteBuffer key,
      @Nullable ByteBuffer expected,
      @Nullable ByteBuffer replacement,
      Durability durability) {
    return compareAndSet(
        Buffers.toKey(key),
        Buffers.toValueOrNull(expected, "expected"),
        Buffers.toValueOrNull(replacement, "replacement"),
        durability);
  }

  /** As the four-argument form with the store's default durability. */
  default boolean compareAndSet(
      ByteBuffer key, @Nullable ByteBuffer expected, @Nullable ByteBuffer replacement) {
    return compareAndSet(key, expected, replacement, store().defaultDurability());
  }

  /**
   * Sets the key's value if the key is absent, as one atomic step.
   *
   * @return null if the value was set, else the value that was already there
   */
  byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability);

  /** As the three-argument form with the store's default durability. */
  default byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return putIfAbsent(key, value, store().defaultDurability());
  }

  /** As {@link #putIfAbsent(byte[], byte[], Durability)}, with slices. */
  default byte @Nullable [] putIfAbsent(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    EntryLimits.checkKey(key, keyOffset, keyLength);
    EntryLimits.checkValue(value, valueOffset, valueLength);
    return putIfAbsent(
        Arrays.copyOfRange(key, keyOffset, keyOffset + keyLength),
        Arrays.copyOfRange(value, valueOffset, valueOffset + valueLength),
        durability);
  }

  /** As the seven-argument form with the store's default durability. */
  default byte @Nullable [] putIfAbsent(
      byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    return putIfAbsent(
        key, keyOffset, keyLength, value, valueOffset, valueLength, store().defaultDurability());
  }

  /** As {@link #putIfAbsent(byte[], byte[], Durability)}, both in heap or direct buffers. */
  default byte @Nullable [] putIfAbsent(ByteBuffer key, ByteBuffer value, Durability durability) {
    return putIfAbsent(Buffers.toKey(key), Buffers.toValue(value, "value"), durability);
  }

  /** As the three-argument form with the store's default durability. */
  default byte @Nullable [] putIfAbsent(ByteBuffer key, ByteBuffer value) {
    return putIfAbsent(key, value, store().defaultDurability());
  }
}
