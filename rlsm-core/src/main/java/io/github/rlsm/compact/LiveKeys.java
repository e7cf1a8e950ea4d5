// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.version.KeyspaceCatalog;

/**
 * Identifies entries of dropped keyspaces, which are not written to new tables. A job uses the
 * keyspaces at its start. Entries of a keyspace dropped later may still be written; the next
 * rewrite drops them.
 */
final class LiveKeys {

  private final KeyspaceCatalog keyspaces;
  private final boolean allLive;

  LiveKeys(KeyspaceCatalog keyspaces) {
    this.keyspaces = keyspaces;
    this.allLive = keyspaces.nextId() == keyspaces.names().size() + 1;
  }

  boolean contains(EntryCursor entry) {
    return allLive || keyspaces.isLive(KeyspacePrefix.id(entry.keyBuffer(), entry.keyOffset()));
  }
}
