// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.ArrayList;
import java.util.List;

/**
 * A text table. Each column is as wide as its widest cell. The first columns are left-aligned. The
 * others have numbers, and are right-aligned.
 *
 * <p>Threads: one thread at a time.
 */
final class TextTable {

  private static final String GAP = "  ";

  private final int leftColumns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates an empty table.
   *
   * @param leftColumns number of left-aligned columns
   */
  TextTable(int leftColumns) {
    this.leftColumns = leftColumns;
  }

  /** Adds a row. The first row is the header. All rows must have the same number of cells. */
  void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** The table, one line per row, with a line feed after each. */
  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : GAP)
            .append(i < leftColumns ? row.get(i) + pad : pad + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
