// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * A table, or a slice of a table by key range, as a member of level 0 or of a partition. Several
 * runs may name one table. A table lives as long as a run names it.
 *
 * @param table number of the table
 * @param range the keys of the table that belong to the run; not empty
 * @param bytes approximate bytes of the run's entries in the table
 * @param entries approximate number of the run's entries
 * @param movedOut value segments from which the run's live values were moved, in ascending order;
 *     empty in level 0. Newer runs of the partition point to the new places of these values. The
 *     accounts do not count this run's pointers into these segments
 */
public record Run(long table, KeyRange range, long bytes, long entries, List<Integer> movedOut) {

  /** Creates a run without moved segments. */
  public Run(long table, KeyRange range, long bytes, long entries) {
    this(table, range, bytes, entries, List.of());
  }

  /** Checks the numbers and the range. */
  public Run {
    movedOut = List.copyOf(movedOut);
    if (table <= 0 || bytes < 0 || entries < 0 || range.isEmpty() || !ascend(movedOut)) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "a run of table %d over %s cannot have %d bytes, %d entries, moved segments %s",
          table,
          range,
          bytes,
          entries,
          movedOut));
    }
  }

  /** Returns a run of all entries of a table. */
  public static Run whole(TableMeta table) {
    return new Run(table.number(), KeyRange.ALL, table.fileBytes(), table.entries());
  }

  private static boolean ascend(List<Integer> segments) {
    int last = 0;
    for (int segment : segments) {
      if (segment <= last) {
        return false;
      }
      last = segment;
    }
    return true;
  }

  /** Whether the run's live values in this segment were moved. */
  public boolean isMovedOutOf(int segment) {
    return Collections.binarySearch(movedOut, segment) >= 0;
  }

  /** Returns this run with more segments whose live values were moved. */
  public Run withMovedOut(Collection<Integer> segments) {
    TreeSet<Integer> all = new TreeSet<>(movedOut);
    all.addAll(segments);
    return new Run(table, range, bytes, entries, List.copyOf(all));
  }
}
