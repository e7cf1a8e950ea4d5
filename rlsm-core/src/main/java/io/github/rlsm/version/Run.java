// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import java.util.Locale;

/**
 * A table, or a slice of one, as a member of level 0 or of a partition: of the table's entries,
 * those whose keys lie in the range. Several runs may name one table; the table lives while one
 * does.
 *
 * @param table number of the table
 * @param range the keys that count; not empty
 * @param bytes about how many bytes of the table the run stands for
 * @param entries about how many entries of the table the run stands for
 */
public record Run(long table, KeyRange range, long bytes, long entries) {

  /** Checks the numbers and the range. */
  public Run {
    if (table <= 0 || bytes < 0 || entries < 0 || range.isEmpty()) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "a run of table %d over %s with %d bytes and %d entries",
          table,
          range,
          bytes,
          entries));
    }
  }

  /** The whole of a table. */
  public static Run whole(TableMeta table) {
    return new Run(table.number(), KeyRange.ALL, table.fileBytes(), table.entries());
  }
}
