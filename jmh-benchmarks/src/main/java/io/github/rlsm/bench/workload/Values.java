// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The values of a workload: incompressible bytes derived from the key's number and a version. So a
 * reader can check that every byte of a value was once written for that key.
 *
 * <p>The first two words hold number and version, scattered. All further words derive from both.
 */
public final class Values {

  /** Minimum length of a value. */
  public static final int BYTES_MIN = 2 * Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private Values() {}

  /**
   * Replaces the buffer's content with a value.
   *
   * @param length {@link #BYTES_MIN} or more
   */
  public static void fill(ByteBuffer value, int length, long id, long version) {
    value.clear();
    long scattered = Mix64.mix(id);
    LONG.set(value, 0, scattered);
    LONG.set(value, Long.BYTES, Mix64.mix(version ^ scattered));
    long state = seed(scattered, version);
    int offset = BYTES_MIN;
    for (; offset + Long.BYTES <= length; offset += Long.BYTES) {
      state += STEP;
      LONG.set(value, offset, scramble(state));
    }
    long rest = scramble(state + STEP);
    for (; offset < length; offset++) {
      value.put(offset, (byte) rest);
      rest >>>= Byte.SIZE;
    }
    value.limit(length);
  }

  /** Whether the bytes from position to limit are a value of that length for that key. */
  public static boolean isValid(ByteBuffer value, int length, long id) {
    int begin = value.position();
    long scattered = Mix64.mix(id);
    if (value.remaining() != length || (long) LONG.get(value, begin) != scattered) {
      return false;
    }
    long state = seed(scattered, version(value, id));
    int offset = BYTES_MIN;
    for (; offset + Long.BYTES <= length; offset += Long.BYTES) {
      state += STEP;
      if ((long) LONG.get(value, begin + offset) != scramble(state)) {
        return false;
      }
    }
    long rest = scramble(state + STEP);
    for (; offset < length; offset++) {
      if (value.get(begin + offset) != (byte) rest) {
        return false;
      }
      rest >>>= Byte.SIZE;
    }
    return true;
  }

  /** The version of the valid value from position to limit. */
  public static long version(ByteBuffer value, long id) {
    return Mix64.unmix((long) LONG.get(value, value.position() + Long.BYTES)) ^ Mix64.mix(id);
  }

  private static long seed(long scattered, long version) {
    return scattered ^ Mix64.mix(version);
  }

  /** One multiplication: random enough for a compressor, at a fraction of a store's cost. */
  private static long scramble(long state) {
    long z = (state ^ (state >>> 32)) * 0xD6E8FEB86659FD93L;
    return z ^ (z >>> 32);
  }
}
