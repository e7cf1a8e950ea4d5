// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies and checks the keys and values passed to a {@link ModelStore}. */
final class Copies {

  private Copies() {}

  static byte[] key(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    return Arrays.copyOfRange(key, offset, offset + length);
  }

  static byte[] key(byte[] key) {
    return key(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  static List<byte[]> keys(List<byte[]> keys) {
    return Objects.requireNonNull(keys, "keys").stream().map(Copies::key).toList();
  }

  static byte[] value(byte[] value, int offset, int length) {
    EntryLimits.checkValue(value, offset, length);
    return Arrays.copyOfRange(value, offset, offset + length);
  }

  static byte[] value(byte[] value) {
    return value(Objects.requireNonNull(value, "value"), 0, value.length);
  }

  static byte @Nullable [] valueOrNull(byte @Nullable [] value) {
    return value == null ? null : value(value);
  }

  static byte @Nullable [] orNull(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }
}
