// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.store.StoreSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The keys of a workload: 16 bytes each, one for every number from 0 on, scattered over the key
 * space so that counting up gives keys in random order. The number can be read back from the key.
 */
public final class Keys {

  /** What {@link #id} returns for bytes that are no key. */
  public static final long NO_ID = -1;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long SECOND_HALF = 0x9E3779B97F4A7C15L;

  private Keys() {}

  /** Replaces the buffer's content by the key of that number, 0 or more. */
  public static void fill(ByteBuffer key, long id) {
    key.clear();
    long first = Mix64.mix(id);
    LONG.set(key, 0, first);
    LONG.set(key, Long.BYTES, Mix64.mix(first + SECOND_HALF));
    key.limit(StoreSettings.KEY_BYTES);
  }

  /** The number of the key between position and limit; {@link #NO_ID} if it is not one of ours. */
  public static long id(ByteBuffer key) {
    if (key.remaining() != StoreSettings.KEY_BYTES) {
      return NO_ID;
    }
    long first = (long) LONG.get(key, key.position());
    long second = (long) LONG.get(key, key.position() + Long.BYTES);
    long id = Mix64.unmix(first);
    return second == Mix64.mix(first + SECOND_HALF) && id >= 0 ? id : NO_ID;
  }

  /** A number that orders the keys of two numbers as the keys themselves are ordered. */
  public static long order(long id) {
    return Mix64.mix(id) ^ Long.MIN_VALUE;
  }

  /** Which part of the key space lies below the key of that number: 0 to 1. */
  public static double rank(long id) {
    return (Mix64.mix(id) >>> 11) * 0x1.0p-53;
  }
}
