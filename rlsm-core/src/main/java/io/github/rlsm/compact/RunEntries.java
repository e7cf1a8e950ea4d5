// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Run;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a run in ascending order, without stale pointers. A pointer is stale if it leads
 * into a segment that the run's values were moved out of. Newer runs of the partition shadow such
 * entries, and the accounts no longer count them. So a rewrite of the run drops them and does not
 * count their values as dead twice.
 *
 * <p>Threads: one at a time.
 */
final class RunEntries implements EntryCursor {

  private final EntryCursor all;

  /**
   * The segments that the run's values were moved out of, ascending; searched for every pointer.
   */
  private final int[] movedOut;

  private RunEntries(EntryCursor all, List<Integer> movedOut) {
    this.all = all;
    this.movedOut = movedOut.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The entries of a run. */
  static EntryCursor of(Run run, Table table) {
    EntryCursor all = table.all(run.range());
    return run.movedOut().isEmpty() ? all : new RunEntries(all, run.movedOut());
  }

  private boolean skip(boolean more) {
    boolean found = more;
    while (found && isStale()) {
      found = all.next();
    }
    return found;
  }

  private boolean isStale() {
    CursorEntry entry = all.entry();
    if (entry.kind() != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = ValuePointer.read(entry.buffer(), entry.valueOffset());
    return Arrays.binarySearch(movedOut, pointer.segment()) >= 0;
  }

  @Override
  public boolean seekFirst() {
    return skip(all.seekFirst());
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    return skip(all.seek(key, offset, length));
  }

  @Override
  public boolean next() {
    return skip(all.next());
  }

  @Override
  public CursorEntry entry() {
    return all.entry();
  }
}
