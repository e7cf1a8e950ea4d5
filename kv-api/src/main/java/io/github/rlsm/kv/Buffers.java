// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies between arrays and buffers that leave the source buffer's position alone. */
final class Buffers {

  private Buffers() {}

  /**
   * Copies the bytes between position and limit into a new array.
   *
   * @param name the caller's parameter name, for the error if the buffer is null
   */
  static byte[] toArray(ByteBuffer buffer, String name) {
    Objects.requireNonNull(buffer, name);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** Copies a key into a new array. Checks its length first. */
  static byte[] toKey(ByteBuffer key) {
    Objects.requireNonNull(key, "key");
    EntryLimits.checkKeyLength(key.remaining());
    return toArray(key, "key");
  }

  /** Copies a value into a new array. Checks its length first. */
  static byte[] toValue(ByteBuffer value, String name) {
    Objects.requireNonNull(value, name);
    EntryLimits.checkValueLength(value.remaining());
    return toArray(value, name);
  }

  /** As {@link #toValue}, where null means absent. */
  static byte @Nullable [] toValueOrNull(@Nullable ByteBuffer value, String name) {
    return value == null ? null : toValue(value, name);
  }

  /** Copies as much of {@code source} as fits and returns the source's full length. */
  static int copyWhatFits(byte[] source, ByteBuffer destination) {
    destination.put(source, 0, Math.min(source.length, destination.remaining()));
    return source.length;
  }
}
