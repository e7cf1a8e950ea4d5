// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of keys and values. Every implementation checks them here, so that all report the same
 * errors.
 */
public final class EntryLimits {

  private EntryLimits() {}

  /**
   * Checks that a slice lies in its array and that its length is valid for a key.
   *
   * @throws InvalidEntryException if the key is empty or too long
   * @throws IndexOutOfBoundsException if the slice does not lie in the array
   */
  public static void checkKey(byte[] key, int offset, int length) {
    Objects.requireNonNull(key, "key");
    Objects.checkFromIndexSize(offset, length, key.length);
    checkKeyLength(length);
  }

  /** As {@link #checkKey(byte[], int, int)}, for a whole array. */
  public static void checkKey(byte[] key) {
    checkKey(key, 0, Objects.requireNonNull(key, "key").length);
  }

  /** As {@link #checkKey(byte[])}, for each key of a lookup of several keys. */
  public static void checkKeys(List<byte[]> keys) {
    Objects.requireNonNull(keys, "keys").forEach(EntryLimits::checkKey);
  }

  /** As {@link #checkKey(byte[])}, for a length alone. */
  public static void checkKeyLength(int length) {
    if (length < 1 || length > KvStore.MAX_KEY_BYTES) {
      throw new InvalidEntryException(
          "a key of " + length + " bytes; the length must be 1 to " + KvStore.MAX_KEY_BYTES);
    }
  }

  /**
   * Checks that a slice lies in its array and that its length is valid for a value.
   *
   * @throws InvalidEntryException if the value is too long
   * @throws IndexOutOfBoundsException if the slice does not lie in the array
   */
  public static void checkValue(byte[] value, int offset, int length) {
    Objects.requireNonNull(value, "value");
    Objects.checkFromIndexSize(offset, length, value.length);
    checkValueLength(length);
  }

  /** As {@link #checkValue(byte[], int, int)}, for a whole array. */
  public static void checkValue(byte[] value) {
    checkValue(value, 0, Objects.requireNonNull(value, "value").length);
  }

  /** As {@link #checkValue(byte[])}; accepts null, which means that the key is absent. */
  public static void checkValueOrNull(byte @Nullable [] value) {
    if (value != null) {
      checkValue(value);
    }
  }

  /** As {@link #checkValue(byte[])}, for a length alone. */
  public static void checkValueLength(int length) {
    if (length < 0 || length > KvStore.MAX_VALUE_BYTES) {
      throw new InvalidEntryException(
          "a value of " + length + " bytes; the length must be 0 to " + KvStore.MAX_VALUE_BYTES);
    }
  }

  /**
   * Checks the name of a new keyspace.
   *
   * @return the name in UTF-8
   * @throws InvalidEntryException if the name is empty, too long, or contains an unpaired surrogate
   */
  public static byte[] checkKeyspaceName(String name) {
    Objects.requireNonNull(name, "name");
    ByteBuffer utf8;
    try {
      utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
    } catch (CharacterCodingException e) {
      throw new InvalidEntryException(
          "a keyspace name that is not valid Unicode: " + e.getMessage());
    }
    int length = utf8.remaining();
    if (length < 1 || length > KvStore.MAX_KEYSPACE_NAME_BYTES) {
      throw new InvalidEntryException("a keyspace name of " + length
          + " bytes in UTF-8; the length must be 1 to " + KvStore.MAX_KEYSPACE_NAME_BYTES);
    }
    return Buffers.toArray(utf8, "name");
  }
}
