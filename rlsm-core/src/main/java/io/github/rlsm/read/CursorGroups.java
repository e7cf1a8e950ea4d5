// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import java.util.List;

/**
 * Sources of a merge that take turns: groups of cursors, in the merge's direction, the keys of each
 * group behind those of the group before it. A group is opened when the merge comes to it.
 *
 * <p>Threads: one thread at a time.
 */
interface CursorGroups {

  /** Nothing. */
  CursorGroups NONE = new CursorGroups() {
    @Override
    public List<EntryCursor> seek(byte[] key, int offset, int length) {
      return List.of();
    }

    @Override
    public List<EntryCursor> first() {
      return List.of();
    }

    @Override
    public List<EntryCursor> next() {
      return List.of();
    }
  };

  /**
   * The first group, in the direction, that may have an entry not before the key: its cursors,
   * newest first and not positioned yet. Empty if there is none.
   */
  List<EntryCursor> seek(byte[] key, int offset, int length);

  /** The first group, as for {@link #seek}. */
  List<EntryCursor> first();

  /** The group behind the one that was returned last. */
  List<EntryCursor> next();
}
