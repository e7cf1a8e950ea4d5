// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.store.StoreSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The keys of a workload: one key of 16 bytes for every number from 0 on. They are scattered over
 * the key space, so ascending numbers give keys in random order. A key can be converted to its
 * number.
 */
public final class Keys {

  /** The result of {@link #id} for bytes that are not a key. */
  public static final long NO_ID = -1;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long SECOND_HALF = 0x9E3779B97F4A7C15L;

  private Keys() {}

  /** Replaces the buffer's content with the key of a number, 0 or more. */
  public static void fill(ByteBuffer key, long id) {
    key.clear();
    long first = Mix64.mix(id);
    LONG.set(key, 0, first);
    LONG.set(key, Long.BYTES, Mix64.mix(first + SECOND_HALF));
    key.limit(StoreSettings.KEY_BYTES);
  }

  /** The number of the key between position and limit; {@link #NO_ID} for other bytes. */
  public static long id(ByteBuffer key) {
    if (key.remaining() != StoreSettings.KEY_BYTES) {
      return NO_ID;
    }
    long first = (long) LONG.get(key, key.position());
    long second = (long) LONG.get(key, key.position() + Long.BYTES);
    long id = Mix64.unmix(first);
    return second == Mix64.mix(first + SECOND_HALF) && id >= 0 ? id : NO_ID;
  }

  /** A sort value for a number. The order of sort values is the order of keys. */
  public static long order(long id) {
    return Mix64.mix(id) ^ Long.MIN_VALUE;
  }

  /** The fraction of the key space below the key of a number, from 0 to 1. */
  public static double rank(long id) {
    return (Mix64.mix(id) >>> 11) * 0x1.0p-53;
  }
}
