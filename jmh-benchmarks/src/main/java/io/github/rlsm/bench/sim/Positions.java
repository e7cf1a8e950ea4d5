// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;

/** Converts positions to keys: eight bytes, big-endian, so keys sort like positions. */
final class Positions {

  private Positions() {}

  static byte[] key(long position) {
    return ByteBuffer.allocate(Long.BYTES).putLong(position).array();
  }

  static KeyRange range(long from, long to) {
    return KeyRange.of(key(from), key(to));
  }

  static long from(KeyRange range) {
    byte[] from = range.from();
    return from == null ? 0 : ByteBuffer.wrap(from).getLong();
  }

  static long to(KeyRange range) {
    byte[] to = range.to();
    return to == null ? Long.MAX_VALUE : ByteBuffer.wrap(to).getLong();
  }
}
