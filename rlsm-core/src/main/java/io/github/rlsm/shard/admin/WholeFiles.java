// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import io.github.rlsm.io.SharedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
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

  /** Returns the directory as a store without shards sees it. The caller holds its lock. */
  static StoreDirectory lend(StoreDirectory directory) {
    return new SharedDirectory(directory, OF_SHARDS);
  }

  /** Deletes all these files. {@code SHARDS} must exist durably. */
  static void delete(StoreDirectory directory) {
    directory.list().stream()
        .filter(name -> !OF_SHARDS.contains(name) && !name.equals(StoreFileName.LOCK))
        .filter(name -> StoreFileName.parse(name).isPresent())
        .sorted()
        .forEach(directory::deleteClosed);
  }
}
