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
 * <p>After a drop of the keyspace, every method except {@link #name()} and {@link #store()} throws
 * {@link NoSuchKeyspaceException}. This is permanent: a keyspace created later under the same name
 * is a different keyspace. Iterators and snapshots opened before the drop stay valid. After a close
 * of the store, the methods throw {@link StoreClosedException}, even if the keyspace was dropped.
 *
 * <p>Threads: every method may be called from any thread. Single operations are linearizable: once
 * a write has returned, every later read sees that write or a newer one.
 *
 * <p>Errors of writes:
 *
 * <ul>
 *   <li>{@link InvalidEntryException} for a key or value outside the limits
 *   <li>{@link StoreClosedException} after a close
 *   <li>{@link NoSuchKeyspaceException} after a drop of the keyspace
 *   <li>{@link ResourceExhaustedException} or {@link StoreIoException} when the write itself fails
 *   <li>{@link StoreFailedException} after an earlier failure that left the store read-only
 * </ul>
 *
 * <p>A write that throws is never acknowledged. After a crash, such a write may be present as a
 * whole, or absent.
 *
 * <p>Methods without a {@link Durability} use the store's default, see
 * {@link KvStore#defaultDurability()}.
 */
public interface Keyspace extends KvReader {

  /** The name of this keyspace; empty for the default keyspace. */
  String name();

  /** The store of this keyspace. */
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

  /** Sets the value of a key, both as slices, with the store's default durability. */
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

  /** Removes the key {@code key[offset, offset + length)}. An absent key is not an error. */
  void delete(byte[] key, int offset, int length, Durability durability);

  /** Removes a key. An absent key is not an error. */
  default void delete(byte[] key, Durability durability) {
    delete(Objects.requireNonNull(key, "key"), 0, key.length, durability);
  }

  /** Removes a key given as a slice, with the store's default durability. */
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
   * Replaces the key's value if it equals the expected value, as one atomic step.
   *
   * @param expected the value the key must have, byte for byte; null if it must be absent
   * @param replacement the new value; null to remove the key
   * @return whether the current value equaled {@code expected} and was replaced
   */
  boolean compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] replacement, Durability durability);

  /** As the four-argument form with the store's default durability. */
  default boolean compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] replacement) {
    return compareAndSet(key, expected, replacement, store().defaultDurability());
  }

  /**
   * As {@link #compareAndSet(byte[], byte[], byte[], Durability)}, with all arguments in heap or
   * direct buffers. Pass slices of arrays as {@link ByteBuffer#wrap(byte[], int, int)}.
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
   * @return null if the value was set, else the value already present
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
