// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;

/** Copies between arrays and buffers that leave the source buffer's position alone. */
final class Buffers {

  private Buffers() {}

  /** The bytes between position and limit, in a new array. */
  static byte[] toArray(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** Copies as much of {@code source} as fits and returns the source's full length. */
  static int copyWhatFits(byte[] source, ByteBuffer destination) {
    destination.put(source, 0, Math.min(source.length, destination.remaining()));
    return source.length;
  }
}
