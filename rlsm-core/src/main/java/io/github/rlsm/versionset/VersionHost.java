// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.TableMeta;

/**
 * The services that a {@link VersionSet} needs from the engine.
 *
 * <p>Threads: called from any thread, by several threads at once.
 *
 * @param <T> an open table
 */
public interface VersionHost<T> {

  /** Opens a live table on its first read. At most one call at a time for each table. */
  T openTable(TableMeta table);

  /** Closes an open table that no pinned version names. Called once for each open table. */
  void closeTable(T table);

  /**
   * Reports that a value-log segment has left the version, and that no pinned version names it. The
   * engine tracks other readers of the segment, such as a memory component that points into it.
   */
  void freeSegment(int number);

  /**
   * Reports that no table of a current or pinned version points into ranges of a value-log segment.
   * As with {@link #freeSegment}, there may be other readers.
   *
   * @param ranges encoded as in {@link io.github.rlsm.io.StoreDirectory#punch}
   */
  void punchSegment(int number, long[] ranges);

  /**
   * Runs a task that closes and deletes files, soon and in the background: the caller may be a
   * reader on its fast path. If the task throws, a file could not be closed or deleted. The next
   * open of the store deletes it.
   */
  void execute(Runnable task);
}
