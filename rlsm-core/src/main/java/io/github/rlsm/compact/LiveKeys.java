// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.version.KeyspaceCatalog;

/**
 * Tells entries of dropped keyspaces, which no new table takes in. What was not yet dropped when a
 * job began may still be written; the next rewrite leaves it out.
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
