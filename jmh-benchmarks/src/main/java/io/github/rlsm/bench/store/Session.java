// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;

/**
 * One client's access to a {@link BenchStore}.
 *
 * <p>Buffers handed in are of the kind the store asked for ({@link StoreKind#directBuffers()}), run
 * from position to limit, belong to the caller, and may come back with another position.
 *
 * <p>Threads: one thread at a time.
 */
public interface Session extends AutoCloseable {

  /** Takes the entries of a scan. */
  interface EntryVisitor {

    /** One entry; both buffers run from position to limit and are valid during the call only. */
    void entry(ByteBuffer key, ByteBuffer value);
  }

  /** Sets a key's value, with the durability the store was opened for. */
  void put(ByteBuffer key, ByteBuffer value);

  /**
   * Copies the value of a key into a buffer, from 0 to its new limit.
   *
   * @param value large enough for the value
   * @return whether the key is present
   */
  boolean get(ByteBuffer key, ByteBuffer value);

  /** Removes a key, with the durability the store was opened for. */
  void delete(ByteBuffer key);

  /**
   * Visits up to {@code limit} entries in key order, with their values, from the first key that is
   * not below {@code from}.
   *
   * @return entries visited
   */
  int scan(ByteBuffer from, int limit, EntryVisitor visitor);

  @Override
  void close();
}
