// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.read.ReadStates;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.OptionalInt;

/**
 * Creates and drops keyspaces, in the manifest.
 *
 * <p>Threads: any.
 */
final class Keyspaces {

  private final StoreFiles files;
  private final ReadStates readStates;
  private final BackgroundWork background;

  Keyspaces(StoreFiles files, ReadStates readStates, BackgroundWork background) {
    this.files = files;
    this.readStates = readStates;
    this.background = background;
  }

  /** Returns the current keyspaces. */
  KeyspaceCatalog catalog() {
    return files.versions().current().keyspaces();
  }

  /** Returns the id of the keyspace with that name. Creates a missing keyspace. */
  int idOf(String name) {
    OptionalInt known = catalog().id(name);
    return known.isPresent() ? known.getAsInt() : create(name);
  }

  private int create(String name) {
    Version installed = files.install(current -> {
      VersionEdit.Builder edit = VersionEdit.builder();
      if (current.keyspaces().id(name).isEmpty()) {
        edit.createKeyspace(current.keyspaces().nextId(), name);
      }
      return edit.build();
    });
    return installed.keyspaces().id(name).orElseThrow();
  }

  /** Drops a keyspace, and lets a job reclaim its space. */
  void drop(int id) {
    files.install(current -> VersionEdit.builder().dropKeyspace(id).build());
    readStates.refresh(); // snapshots taken from now on do not see the keyspace
    background.kick();
  }
}
