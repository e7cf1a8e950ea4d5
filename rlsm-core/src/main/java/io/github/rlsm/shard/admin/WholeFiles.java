// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.List;
import java.util.Set;

/**
 * Accesses the files of a store without shards in the directory that holds, or will hold, the file
 * {@code SHARDS}. While {@code SHARDS} exists, the shards are the store. Other files are then the
 * remains of a resharding, unfinished or complete.
 *
 * <p>Threads: one at a time.
 */
final class WholeFiles {

  private static final Set<String> OF_SHARDS =
      Set.of(StoreFileName.SHARDS, StoreFileName.SHARDS_TEMPORARY);

  private WholeFiles() {}

  /**
   * Returns the directory as a store without shards sees it. The caller holds the directory's lock
   * and keeps the directory open for as long as the returned object is used.
   */
  static StoreDirectory lend(StoreDirectory directory) {
    return new Lent(directory);
  }

  /** Deletes all these files. {@code SHARDS} must exist durably. */
  static void delete(StoreDirectory directory) {
    directory.list().stream()
        .filter(name -> !OF_SHARDS.contains(name) && !name.equals(StoreFileName.LOCK))
        .filter(name -> StoreFileName.parse(name).isPresent())
        .sorted()
        .forEach(directory::deleteClosed);
  }

  /**
   * The directory as the other store sees it, without the files of the shards. The owner keeps the
   * lock and closes the directory.
   */
  private static final class Lent extends FilterDirectory {

    Lent(StoreDirectory owned) {
      super(owned);
    }

    @Override
    public List<String> list() {
      return super.list().stream().filter(name -> !OF_SHARDS.contains(name)).toList();
    }

    @Override
    public boolean exists(String name) {
      return !OF_SHARDS.contains(name) && super.exists(name);
    }

    /** Returns a lock without effect. The owner holds the real lock. */
    @Override
    public StoreDirectory.Lock lock() {
      return () -> {};
    }

    /** Does nothing. The owner closes the directory. */
    @Override
    public void close() {
      // Holds no resources.
    }
  }
}
