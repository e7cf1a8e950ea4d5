// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of operations that {@link KvStore#write} applies atomically. May hold operations on
 * several keyspaces of one store. May be written more than once, and reused after {@link #clear()}.
 *
 * <p>Keys and values are copied into one growing array, so a batch costs no object per operation.
 * All keys and values together may take {@link KvStore#MAX_VALUE_BYTES}. The batch refuses an
 * operation that exceeds this limit with an {@link InvalidEntryException} and stays unchanged.
 *
 * <p>Threads: one thread at a time, also while it is being written.
 */
public final class WriteBatch {

  /**
   * Receives the operations of a batch in their order. The arrays belong to the batch: do not write
   * to them.
   */
  public interface Visitor {

    /**
     * Receives a put.
     *
     * @param keyspace the keyspace named when the operation was added; null for the default one
     */
    void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength);

    /** Receives a delete; keyspace as in {@link #put}. */
    void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength);
  }

  private static final int DELETE = -1;
  private static final int INTS_PER_OPERATION = 2;

  private byte[] bytes = new byte[256];
  private int byteCount;

  /** For each operation: key length, then value length or {@link #DELETE}. */
  private int[] lengths = new int[16 * INTS_PER_OPERATION];

  private @Nullable Keyspace @Nullable [] keyspaces;
  private int count;

  /** Creates an empty batch. */
  public WriteBatch() {}

  /** Adds a put into the default keyspace. */
  public WriteBatch put(byte[] key, byte[] value) {
    return put(null, key, value);
  }

  /** Adds a put; into the default keyspace if {@code keyspace} is null. */
  public WriteBatch put(@Nullable Keyspace keyspace, byte[] key, byte[] value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return put(keyspace, key, 0, key.length, value, 0, value.length);
  }

  /** Adds a put of slices into the default keyspace. */
  public WriteBatch put(
      byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    return put(null, key, keyOffset, keyLength, value, valueOffset, valueLength);
  }

  /** Adds a put of slices; the default keyspace if {@code keyspace} is null. */
  public WriteBatch put(
      @Nullable Keyspace keyspace,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength) {
    EntryLimits.checkKey(key, keyOffset, keyLength);
    EntryLimits.checkValue(value, valueOffset, valueLength);
    int at = reserve(keyLength, valueLength);
    System.arraycopy(key, keyOffset, bytes, at, keyLength);
    System.arraycopy(value, valueOffset, bytes, at + keyLength, valueLength);
    return added(keyspace, keyLength, valueLength);
  }

  /** Adds a put from heap or direct buffers; the default keyspace if {@code keyspace} is null. */
  public WriteBatch put(@Nullable Keyspace keyspace, ByteBuffer key, ByteBuffer value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    EntryLimits.checkKeyLength(key.remaining());
    EntryLimits.checkValueLength(value.remaining());
    int at = reserve(key.remaining(), value.remaining());
    key.get(key.position(), bytes, at, key.remaining());
    value.get(value.position(), bytes, at + key.remaining(), value.remaining());
    return added(keyspace, key.remaining(), value.remaining());
  }

  /** Adds a put into the default keyspace from heap or direct buffers. */
  public WriteBatch put(ByteBuffer key, ByteBuffer value) {
    return put(null, key, value);
  }

  /** Adds a delete from the default keyspace. */
  public WriteBatch delete(byte[] key) {
    return delete(null, key);
  }

  /** Adds a delete; from the default keyspace if {@code keyspace} is null. */
  public WriteBatch delete(@Nullable Keyspace keyspace, byte[] key) {
    return delete(keyspace, Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** Adds a delete of a slice from the default keyspace. */
  public WriteBatch delete(byte[] key, int offset, int length) {
    return delete(null, key, offset, length);
  }

  /** Adds a delete of a slice; the default keyspace if {@code keyspace} is null. */
  public WriteBatch delete(@Nullable Keyspace keyspace, byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    int at = reserve(length, 0);
    System.arraycopy(key, offset, bytes, at, length);
    return added(keyspace, length, DELETE);
  }

  /**
   * Adds a delete from a heap or direct buffer; the default keyspace if {@code keyspace} is null.
   */
  public WriteBatch delete(@Nullable Keyspace keyspace, ByteBuffer key) {
    Objects.requireNonNull(key, "key");
    EntryLimits.checkKeyLength(key.remaining());
    int at = reserve(key.remaining(), 0);
    key.get(key.position(), bytes, at, key.remaining());
    return added(keyspace, key.remaining(), DELETE);
  }

  /** Adds a delete from the default keyspace from a heap or direct buffer. */
  public WriteBatch delete(ByteBuffer key) {
    return delete(null, key);
  }

  /** The number of operations. */
  public int count() {
    return count;
  }

  /** Whether there are no operations. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** The bytes of all keys and values. */
  public int byteCount() {
    return byteCount;
  }

  /** Removes all operations and keeps the memory for the next ones. */
  public void clear() {
    byteCount = 0;
    count = 0;
    keyspaces = null;
  }

  /** Passes the operations to {@code visitor}, in the order in which they were added. */
  public void forEach(Visitor visitor) {
    Objects.requireNonNull(visitor, "visitor");
    int at = 0;
    for (int i = 0; i < count; i++) {
      int keyLength = lengths[i * INTS_PER_OPERATION];
      int valueLength = lengths[i * INTS_PER_OPERATION + 1];
      Keyspace keyspace = keyspaces == null ? null : keyspaces[i];
      if (valueLength == DELETE) {
        visitor.delete(keyspace, bytes, at, keyLength);
        at += keyLength;
      } else {
        visitor.put(keyspace, bytes, at, keyLength, at + keyLength, valueLength);
        at += keyLength + valueLength;
      }
    }
  }

  private int reserve(int keyLength, int valueLength) {
    long needed = (long) byteCount + keyLength + valueLength;
    if (needed > KvStore.MAX_VALUE_BYTES) {
      throw new InvalidEntryException("a batch of " + needed + " bytes; at most "
          + KvStore.MAX_VALUE_BYTES + " are allowed; split the batch");
    }
    if (needed > bytes.length) {
      long doubled = Math.min(bytes.length * 2L, KvStore.MAX_VALUE_BYTES);
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
    }
    return byteCount;
  }

  private WriteBatch added(@Nullable Keyspace keyspace, int keyLength, int valueLength) {
    int at = count * INTS_PER_OPERATION;
    if (at == lengths.length) {
      lengths = Arrays.copyOf(lengths, lengths.length * 2);
    }
    lengths[at] = keyLength;
    lengths[at + 1] = valueLength;
    rememberKeyspace(keyspace);
    byteCount += keyLength + Math.max(valueLength, 0);
    count++;
    return this;
  }

  private void rememberKeyspace(@Nullable Keyspace keyspace) {
    if (keyspaces == null) {
      if (keyspace == null) {
        return;
      }
      keyspaces = new Keyspace[Math.max(16, count + 1)];
    }
    if (count >= keyspaces.length) {
      keyspaces = Arrays.copyOf(keyspaces, keyspaces.length * 2);
    }
    keyspaces[count] = keyspace;
  }
}
