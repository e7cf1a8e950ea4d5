// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one keyspace: the live one ({@link Keyspace}) or one frozen in time ({@link Snapshot}).
 *
 * <p>Threads: every method may be called from any thread at any time.
 *
 * <p>Every method throws {@link StoreClosedException} after a close of the store or of the
 * snapshot. It throws {@link CorruptionException} when the bytes on disk fail their checks, and
 * {@link InvalidEntryException} for a key outside the limits.
 */
public interface KvReader {

  /** The result of {@link #get(byte[], int, int, ByteBuffer)} for an absent key. */
  int NOT_FOUND = -1;

  /**
   * The value of the key {@code key[offset, offset + length)}.
   *
   * @return a new array that belongs to the caller, or null if the key is absent
   */
  byte @Nullable [] get(byte[] key, int offset, int length);

  /** As {@link #get(byte[], int, int)} with the whole array as the key. */
  default byte @Nullable [] get(byte[] key) {
    return get(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** As {@link #get(byte[], int, int)}, with the key in a heap or direct buffer. */
  default byte @Nullable [] get(ByteBuffer key) {
    return get(Buffers.toKey(key));
  }

  /**
   * Copies the value of the key {@code key[offset, offset + length)} into {@code destination}, from
   * its position up to its limit at most. Advances the position by the number of copied bytes.
   * Leaves the destination unchanged if the key is absent.
   *
   * @return the full length of the value in bytes, which exceeds the number of copied bytes if the
   *     destination is too small; {@link #NOT_FOUND} if the key is absent
   */
  default int get(byte[] key, int offset, int length, ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    byte[] value = get(key, offset, length);
    return value == null ? NOT_FOUND : Buffers.copyWhatFits(value, destination);
  }

  /** As {@link #get(byte[], int, int, ByteBuffer)} with the whole array as the key. */
  default int get(byte[] key, ByteBuffer destination) {
    return get(Objects.requireNonNull(key, "key"), 0, key.length, destination);
  }

  /** As {@link #get(byte[], int, int, ByteBuffer)}, with the key in a heap or direct buffer. */
  default int get(ByteBuffer key, ByteBuffer destination) {
    return get(Buffers.toKey(key), destination);
  }

  /**
   * Whether the key {@code key[offset, offset + length)} is present. Need not read a value that is
   * stored apart from its key.
   */
  default boolean contains(byte[] key, int offset, int length) {
    return get(key, offset, length) != null;
  }

  /** As {@link #contains(byte[], int, int)} with the whole array as the key. */
  default boolean contains(byte[] key) {
    return contains(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** As {@link #contains(byte[], int, int)}, with the key in a heap or direct buffer. */
  default boolean contains(ByteBuffer key) {
    return contains(Buffers.toKey(key));
  }

  /**
   * The values of several keys, all read at one point in time.
   *
   * @return one element per key, in the order of {@code keys}; null where the key is absent
   */
  List<byte @Nullable []> multiGet(List<byte[]> keys);

  /**
   * As {@link #multiGet(List)}, with the keys in heap or direct buffers. Pass slices of arrays as
   * {@link ByteBuffer#wrap(byte[], int, int)}.
   */
  default List<byte @Nullable []> multiGetBuffers(List<ByteBuffer> keys) {
    List<byte[]> arrays = new ArrayList<>(Objects.requireNonNull(keys, "keys").size());
    for (ByteBuffer key : keys) {
      arrays.add(Buffers.toKey(key));
    }
    return multiGet(arrays);
  }

  /**
   * Returns the entries selected by {@code options}, in key order, as of now: later writes are not
   * visible. The iterator pins memory and files until it is closed.
   */
  KvIterator scan(ScanOptions options);

  /** All entries in ascending key order. */
  default KvIterator scan() {
    return scan(ScanOptions.all());
  }
}
