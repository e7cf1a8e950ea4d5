// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import org.jspecify.annotations.Nullable;

/**
 * Memory that a writer sets aside before it reserves its place in the log, for the old versions
 * that its write may have to keep for snapshots. So the insertion itself allocates nothing.
 *
 * <p>Threads: one thread at a time; every writing thread keeps its own.
 */
public final class SpareVersions {

  /** Nothing set aside: for inserts that may allocate. Stays empty, so threads may share it. */
  static final SpareVersions NONE = new SpareVersions();

  /** A concurrent write to the same key makes an insert keep one version more than it replaces. */
  private static final int EXTRA = 4;

  /** A large batch may leave this many behind for later writes. */
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

  /** A version to be filled; allocates one if none is left. */
  OlderVersions.Version take() {
    OlderVersions.Version taken = first;
    if (taken == null) {
      return new OlderVersions.Version();
    }
    first = taken.older;
    count--;
    return taken;
  }

  /** Drops versions that a large batch set aside and did not need. */
  public void trim() {
    if (count > KEPT_MAX) {
      first = null;
      count = 0;
    }
  }
}
