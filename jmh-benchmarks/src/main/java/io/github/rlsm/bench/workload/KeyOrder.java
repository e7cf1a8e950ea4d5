// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.store.StoreSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The order of the keys that ascending numbers have. A load puts the keys of ascending numbers, so
 * this is the order in which a load writes keys.
 */
public enum KeyOrder {
  /** Ascending numbers give keys in random order, see {@link Keys}. */
  RANDOM {
    @Override
    public void fill(ByteBuffer key, long id) {
      Keys.fill(key, id);
    }

    @Override
    public long id(ByteBuffer key) {
      return Keys.id(key);
    }

    @Override
    public long order(long id) {
      return Keys.order(id);
    }
  },

  /** Ascending numbers give ascending keys: the number, then a hash of the number. */
  INCREASING {
    @Override
    public void fill(ByteBuffer key, long id) {
      key.clear();
      LONG.set(key, 0, id);
      LONG.set(key, Long.BYTES, Mix64.mix(id));
      key.limit(StoreSettings.KEY_BYTES);
    }

    @Override
    public long id(ByteBuffer key) {
      if (key.remaining() != StoreSettings.KEY_BYTES) {
        return Keys.NO_ID;
      }
      long id = (long) LONG.get(key, key.position());
      long hash = (long) LONG.get(key, key.position() + Long.BYTES);
      return id >= 0 && hash == Mix64.mix(id) ? id : Keys.NO_ID;
    }

    @Override
    public long order(long id) {
      return id;
    }
  };

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Replaces the buffer's content with the key of a number, 0 or more. */
  public abstract void fill(ByteBuffer key, long id);

  /** The number of the key between position and limit; {@link Keys#NO_ID} for other bytes. */
  public abstract long id(ByteBuffer key);

  /** A sort value for a number. The order of sort values is the order of keys. */
  public abstract long order(long id);
}
