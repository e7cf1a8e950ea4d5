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
 * A table, or a slice of one, as a member of level 0 or of a partition: of the table's entries,
 * those whose keys lie in the range. Several runs may name one table; the table lives while one
 * does.
 *
 * @param table number of the table
 * @param range the keys that count; not empty
 * @param bytes about how many bytes of the table the run stands for
 * @param entries about how many entries of the table the run stands for
 * @param movedOut value segments, in ascending order, of which the run holds nothing any more: what
 *     was live of what its pointers lead to there was moved, newer runs of the partition lead to
 *     where it is now, and accounts do not count these pointers. In level 0 there are none
 */
public record Run(long table, KeyRange range, long bytes, long entries, List<Integer> movedOut) {

  /** A run that holds all that its pointers lead to. */
  public Run(long table, KeyRange range, long bytes, long entries) {
    this(table, range, bytes, entries, List.of());
  }

  /** Checks the numbers and the range. */
  public Run {
    movedOut = List.copyOf(movedOut);
    if (table <= 0 || bytes < 0 || entries < 0 || range.isEmpty() || !ascend(movedOut)) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "a run of table %d over %s with %d bytes and %d entries, without segments %s",
          table,
          range,
          bytes,
          entries,
          movedOut));
    }
  }

  /** The whole of a table. */
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

  /** Whether it holds nothing any more in the segment with that number. */
  public boolean isMovedOutOf(int segment) {
    return Collections.binarySearch(movedOut, segment) >= 0;
  }

  /** The same run when what it held in some more segments was moved out. */
  public Run withMovedOut(Collection<Integer> segments) {
    TreeSet<Integer> all = new TreeSet<>(movedOut);
    all.addAll(segments);
    return new Run(table, range, bytes, entries, List.copyOf(all));
  }
}
