// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * A whole store frozen at one point in time. As a {@link KvReader} it reads the default keyspace.
 *
 * <p>A snapshot holds back files and memory that the store could free, so close it; how many are
 * open and since when is in {@link Stats}.
 *
 * <p>Threads: every method may be called from any thread; closing twice does nothing.
 */
public interface Snapshot extends KvReader, AutoCloseable {

  /**
   * Another keyspace of the same store as it was when the snapshot was taken; empty if it did not
   * exist then.
   *
   * <p>A keyspace that has been dropped since is still there. The reader lives as long as the
   * snapshot.
   *
   * @throws IllegalArgumentException if the keyspace belongs to another store
   */
  KvReader in(Keyspace keyspace);

  @Override
  void close();
}
