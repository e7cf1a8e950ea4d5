// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import io.github.rlsm.version.VersionSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells which value pointer, if any, is the newest entry of a key.
 *
 * <p>Threads: any.
 */
final class Lookup {

  private final Views views;
  private final VersionSet<?> versions;

  Lookup(Views views, VersionSet<?> versions) {
    this.views = views;
    this.versions = versions;
  }

  /** Whether a keyspace is there. */
  boolean isLive(int keyspace) {
    return versions.current().keyspaces().isLive(keyspace);
  }

  /**
   * The pointer that is the newest entry of the scratch's key; null if that is something else, be
   * it not published yet, or if there is none.
   */
  @Nullable
  ValuePointer newest(ReadScratch scratch) {
    byte[] key = scratch.key;
    int length = scratch.keyLength;
    long hash = KeyHash.hash(key, 0, length);
    EntryView found = scratch.found;
    found.clear();
    int stripe = PinCount.stripe();
    View view = views.pin(stripe);
    try {
      // Whatever memory holds is newer than the pointers in the files.
      if (view.newestSeqnoInMemory(key, length, hash) >= 0
          || !view.findInFiles(key, length, hash, found)
          || found.kind() != EntryKind.POINTER) {
        return null;
      }
      return ValuePointer.read(found.buffer(), found.valueOffset());
    } finally {
      found.clear();
      view.unpin(stripe);
    }
  }
}
