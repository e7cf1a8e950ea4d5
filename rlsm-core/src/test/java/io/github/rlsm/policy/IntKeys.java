// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Non-negative ints as keys: four bytes, big-endian, so that the order of keys is the order of
 * ints.
 */
final class IntKeys {

  private IntKeys() {}

  static byte[] key(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  /** Returns the range of all keys between two keys, both inclusive, like the span of a run. */
  static KeyRange span(int smallest, int largest) {
    return RunShape.span(key(smallest), key(largest));
  }

  /** Returns the smallest int whose key is not below a bound. */
  static int ceiling(byte[] bound) {
    int value = ByteBuffer.wrap(Arrays.copyOf(bound, Integer.BYTES)).getInt();
    return bound.length > Integer.BYTES ? value + 1 : value;
  }

  /**
   * Formats a range in the notation of the papers, such as {@code [1-8]}: its smallest and largest
   * int.
   */
  static String text(KeyRange range) {
    String from = range.from() == null ? "" : String.valueOf(ceiling(range.from()));
    String to = range.to() == null ? "" : String.valueOf(ceiling(range.to()) - 1);
    return "[" + from + "-" + to + "]";
  }
}
