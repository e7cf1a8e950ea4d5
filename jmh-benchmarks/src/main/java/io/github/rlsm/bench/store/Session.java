// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;

/**
 * One client's access to a {@link BenchStore}.
 *
 * <p>Buffer arguments are of the store's preferred kind ({@link StoreKind#directBuffers()}). Their
 * content is from position to limit. They belong to the caller; a call may change the position.
 *
 * <p>Threads: one thread at a time.
 */
public interface Session extends AutoCloseable {

  /** Receives the entries of a scan. */
  interface EntryVisitor {

    /** One entry. The content of both buffers, position to limit, is valid during the call only. */
    void entry(ByteBuffer key, ByteBuffer value);
  }

  /** Sets a key's value, with the durability of the store's settings. */
  void put(ByteBuffer key, ByteBuffer value);

  /**
   * Copies the value of a key into a buffer, from 0 to its new limit.
   *
   * @param value large enough for the value
   * @return whether the key is present
   */
  boolean get(ByteBuffer key, ByteBuffer value);

  /** Removes a key, with the durability of the store's settings. */
  void delete(ByteBuffer key);

  /**
   * Visits up to {@code limit} entries with their values, in key order, from the first key that is
   * not below {@code from}.
   *
   * @return number of entries visited
   */
  int scan(ByteBuffer from, int limit, EntryVisitor visitor);

  @Override
  void close();
}
