// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Operations on key ranges that only policies need. */
final class Ranges {

  /** A range without keys. */
  static final KeyRange EMPTY = KeyRange.of(null, new byte[0]);

  private Ranges() {}

  /** Whether every key of {@code left} is smaller than every key of {@code right}. */
  static boolean before(KeyRange left, KeyRange right) {
    byte[] to = left.to();
    byte[] from = right.from();
    return to != null && from != null && Arrays.compareUnsigned(to, from) <= 0;
  }

  /** The smallest range that covers {@code a} and {@code b}; null counts as empty. */
  static KeyRange hull(@Nullable KeyRange a, KeyRange b) {
    if (a == null) {
      return b;
    }
    byte[] from = a.from();
    byte[] to = a.to();
    if (from != null && (b.from() == null || Arrays.compareUnsigned(b.from(), from) < 0)) {
      from = b.from();
    }
    if (to != null && (b.to() == null || Arrays.compareUnsigned(b.to(), to) > 0)) {
      to = b.to();
    }
    return KeyRange.of(from, to);
  }
}
