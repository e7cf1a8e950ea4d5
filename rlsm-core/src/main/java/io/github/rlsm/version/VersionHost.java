// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

/**
 * What a {@link VersionSet} needs from the engine around it.
 *
 * <p>Threads: called from any thread, several at once.
 *
 * @param <T> an open table
 */
public interface VersionHost<T> {

  /** Opens a live table; called at most once at a time for each, when something first reads it. */
  T openTable(TableMeta table);

  /** Closes an open table that no pinned version names any more; called once for each. */
  void closeTable(T table);

  /**
   * A value-log segment has left the version, and no pinned version names it any more. Whoever else
   * may still read it, for one a memory component that points into it, is the engine's business.
   */
  void freeSegment(int number);

  /**
   * Nothing in ranges of a value-log segment is pointed to by any table that a version, current or
   * pinned, names. As with {@link #freeSegment}, others may still read there.
   *
   * @param ranges as {@link io.github.rlsm.io.StoreDirectory#punch} wants them
   */
  void punchSegment(int number, long[] ranges);

  /**
   * Runs a task that closes and deletes files, in the background and soon: the caller may be a
   * reader in a hurry. What the task throws is a file that could not be closed or deleted; the next
   * open sweeps it.
   */
  void execute(Runnable task);
}
