// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The smallest and the largest of some internal keys. Both are keys themselves, unlike the ends of
 * a {@link KeyRange}. The arrays are shared; callers must not modify them.
 *
 * @param smallest the first key
 * @param largest the last key
 */
// Keys are arrays everywhere in the engine; equals and hashCode below compare their bytes.
@SuppressWarnings("ArrayRecordComponent")
public record KeyBounds(byte[] smallest, byte[] largest) {

  /** Returns whether the key {@code key[offset, end)} lies between the bounds or is one of them. */
  public boolean contain(byte[] key, int offset, int end) {
    return Arrays.compareUnsigned(smallest, 0, smallest.length, key, offset, end) <= 0
        && Arrays.compareUnsigned(key, offset, end, largest, 0, largest.length) <= 0;
  }

  /** Returns whether a range contains a key that lies between the bounds or is one of them. */
  public boolean meets(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    return (from == null || Arrays.compareUnsigned(from, largest) <= 0)
        && (to == null || Arrays.compareUnsigned(smallest, to) < 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyBounds that
        && Arrays.equals(smallest, that.smallest)
        && Arrays.equals(largest, that.largest);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(smallest) + Arrays.hashCode(largest);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(smallest) + " to " + hex.formatHex(largest);
  }
}
