// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import java.util.List;

/**
 * A sequence of cursor groups that a merge opens one at a time, when it reaches them. In the
 * merge's direction, all keys of a group are after the keys of the previous group.
 *
 * <p>Threads: one thread at a time.
 */
interface CursorGroups {

  /** A sequence without groups. */
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
   * Returns the cursors of the first group, in the merge's direction, that may have an entry at or
   * after the key. The cursors are ordered newest first and are not positioned yet. The list is
   * empty if no such group exists.
   */
  List<EntryCursor> seek(byte[] key, int offset, int length);

  /** Returns the cursors of the first group, as {@link #seek} does. */
  List<EntryCursor> first();

  /** Returns the cursors of the group after the last one returned. */
  List<EntryCursor> next();
}
