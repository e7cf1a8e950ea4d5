// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Objects;

/** The limits of keys and values, checked in the same words by every implementation. */
public final class EntryLimits {

  private EntryLimits() {}

  /**
   * Checks that a slice lies in its array and has a legal length for a key.
   *
   * @throws InvalidEntryException if the key is empty or too long
   * @throws IndexOutOfBoundsException if the slice does not lie in the array
   */
  public static void checkKey(byte[] key, int offset, int length) {
    Objects.requireNonNull(key, "key");
    Objects.checkFromIndexSize(offset, length, key.length);
    checkKeyLength(length);
  }

  /** As {@link #checkKey}, for a length alone. */
  public static void checkKeyLength(int length) {
    if (length < 1 || length > KvStore.MAX_KEY_BYTES) {
      throw new InvalidEntryException(
          "a key of " + length + " bytes; legal are 1 to " + KvStore.MAX_KEY_BYTES);
    }
  }

  /**
   * Checks that a slice lies in its array and has a legal length for a value.
   *
   * @throws InvalidEntryException if the value is too long
   * @throws IndexOutOfBoundsException if the slice does not lie in the array
   */
  public static void checkValue(byte[] value, int offset, int length) {
    Objects.requireNonNull(value, "value");
    Objects.checkFromIndexSize(offset, length, value.length);
    checkValueLength(length);
  }

  /** As {@link #checkValue}, for a length alone. */
  public static void checkValueLength(int length) {
    if (length > KvStore.MAX_VALUE_BYTES) {
      throw new InvalidEntryException(
          "a value of " + length + " bytes; at most " + KvStore.MAX_VALUE_BYTES + " are allowed");
    }
  }
}
