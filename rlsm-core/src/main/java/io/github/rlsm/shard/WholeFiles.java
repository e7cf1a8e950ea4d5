// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.LentDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.Set;

/**
 * The files of a store without shards in the directory where one of several has its file
 * {@code SHARDS}. While that is there, the shards are the store, and such files are what a
 * resharding has left that was cut short, or was over.
 *
 * <p>Threads: one at a time.
 */
final class WholeFiles {

  private static final Set<String> OF_SHARDS =
      Set.of(StoreFileName.SHARDS, StoreFileName.SHARDS_TEMPORARY);

  private WholeFiles() {}

  /** The directory as a store without shards sees it; whoever calls this has its lock. */
  static StoreDirectory lend(StoreDirectory directory) {
    return new LentDirectory(directory, OF_SHARDS);
  }

  /** Deletes them all. {@code SHARDS} must be there, durably. */
  static void delete(StoreDirectory directory) {
    directory.list().stream()
        .filter(name -> !OF_SHARDS.contains(name) && !name.equals(StoreFileName.LOCK))
        .filter(name -> StoreFileName.parse(name).isPresent())
        .sorted()
        .forEach(directory::deleteClosed);
  }
}
