// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * A whole store frozen at one point in time. As a {@link KvReader} it reads the default keyspace.
 *
 * <p>A snapshot pins files and memory that the store could otherwise free, so close it.
 * {@link Stats.Resources#openSnapshots()} counts the open ones.
 *
 * <p>Threads: every method may be called from any thread. A second close does nothing.
 */
public interface Snapshot extends KvReader, AutoCloseable {

  /**
   * Returns another keyspace of the same store as of the time of the snapshot; empty if the
   * keyspace did not exist then.
   *
   * <p>A keyspace dropped after the snapshot was taken is still readable. The reader is valid as
   * long as the snapshot is.
   *
   * @throws IllegalArgumentException if the keyspace belongs to another store
   */
  KvReader in(Keyspace keyspace);

  @Override
  void close();
}
