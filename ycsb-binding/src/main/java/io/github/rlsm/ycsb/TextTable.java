// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text in columns as wide as their widest cell: the first columns to the left, the others,
 * which hold numbers, to the right.
 *
 * <p>Threads: one thread at a time.
 */
final class TextTable {

  private static final String GAP = "  ";

  private final int leftColumns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param leftColumns how many of the first columns are aligned to the left
   * @param header the columns' names
   */
  TextTable(int leftColumns, String... header) {
    this.leftColumns = leftColumns;
    rows.add(List.of(header));
  }

  /** Adds a row with as many cells as the header. */
  void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** The table, a line a row, each ended by a line feed. */
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
