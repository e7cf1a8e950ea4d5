// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A Markdown table. The first column is left-aligned, the others are right-aligned.
 *
 * <p>Threads: one thread at a time.
 */
public final class MarkdownTable {

  private final List<List<String>> rows = new ArrayList<>();
  private final int columns;

  /** Creates a table without rows. */
  public MarkdownTable(List<String> headings) {
    columns = headings.size();
    rows.add(List.copyOf(headings));
    List<String> alignment = new ArrayList<>(List.of("---"));
    alignment.addAll(Collections.nCopies(columns - 1, "---:"));
    rows.add(alignment);
  }

  /** Adds a row. It must have one cell for each heading. */
  public void row(List<String> cells) {
    if (cells.size() != columns) {
      throw new IllegalArgumentException(cells.size() + " cells for " + columns + " columns");
    }
    rows.add(List.copyOf(cells));
  }

  /** The table, with a line end after each line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return text.toString();
  }
}
