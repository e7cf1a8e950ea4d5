// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.Keys;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.stream.LongStream;

/**
 * The keys of {@link Keys} in the engine's form: with the prefix byte of the default keyspace.
 *
 * <p>Threads: one thread at a time.
 */
final class InternalKeys {

  /** Bytes of each key. */
  static final int BYTES = 1 + StoreSettings.KEY_BYTES;

  private final ByteBuffer userKey = ByteBuffer.allocate(StoreSettings.KEY_BYTES);
  private final byte[] key = new byte[BYTES];

  /** The key with that number. Every call returns the same array. */
  byte[] key(long id) {
    Keys.fill(userKey, id);
    userKey.get(0, key, 1, StoreSettings.KEY_BYTES);
    return key;
  }

  /** The numbers from 0 to {@code count - 1}, in the order of their keys. */
  static int[] inOrder(int count) {
    return LongStream.range(0, count)
        .boxed()
        .sorted(Comparator.comparingLong(Keys::order))
        .mapToInt(Math::toIntExact)
        .toArray();
  }
}
