// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import org.jspecify.annotations.Nullable;

/**
 * Memory for the old versions that a write may have to keep for snapshots. The writer allocates it
 * before it reserves its place in the log, so that the insertion allocates nothing.
 *
 * <p>Threads: one thread at a time; each writing thread has its own instance.
 */
public final class SpareVersions {

  /** An empty instance for inserts that may allocate. It stays empty, so threads may share it. */
  static final SpareVersions NONE = new SpareVersions();

  /** A concurrent write to the same key makes an insert keep one version more than it replaces. */
  private static final int EXTRA = 4;

  /** The most versions that stay allocated for later writes after a large batch. */
  private static final int KEPT_MAX = 64;

  private OlderVersions.@Nullable Version first;
  private int count;

  /** Allocates versions until there are enough for a number of insertions. */
  void ensure(int insertions) {
    while (count < insertions + EXTRA) {
      OlderVersions.Version added = new OlderVersions.Version();
      added.older = first;
      first = added;
      count++;
    }
  }

  /** Returns an unused version; allocates one if none is left. */
  OlderVersions.Version take() {
    OlderVersions.Version taken = first;
    if (taken == null) {
      return new OlderVersions.Version();
    }
    first = taken.older;
    count--;
    return taken;
  }

  /** Releases the versions that a large batch allocated and did not need. */
  public void trim() {
    if (count > KEPT_MAX) {
      first = null;
      count = 0;
    }
  }
}
