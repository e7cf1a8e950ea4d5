// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Non-negative ints as keys: four bytes, big-endian, so that both orders agree. */
final class IntKeys {

  private IntKeys() {}

  static byte[] key(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  /** The range of all keys from one to another, both inclusive, as a run's span has it. */
  static KeyRange span(int smallest, int largest) {
    return RunShape.span(key(smallest), key(largest));
  }

  /** The smallest int whose key is not before a bound. */
  static int ceiling(byte[] bound) {
    int value = ByteBuffer.wrap(Arrays.copyOf(bound, Integer.BYTES)).getInt();
    return bound.length > Integer.BYTES ? value + 1 : value;
  }

  /** A range as the papers write it, such as {@code [1-8]}: the smallest and largest int in it. */
  static String text(KeyRange range) {
    String from = range.from() == null ? "" : String.valueOf(ceiling(range.from()));
    String to = range.to() == null ? "" : String.valueOf(ceiling(range.to()) - 1);
    return "[" + from + "-" + to + "]";
  }
}
