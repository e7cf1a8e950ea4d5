// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.matrix.MatrixRow.Cell;
import io.github.rlsm.bench.result.BenchResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The measured cells. Rows beside RocksDB count for means; rows beside LMDB are separate.
 *
 * @param rows rows beside RocksDB, in the order of the table
 * @param lmdbRows rows beside LMDB
 */
public record MatrixTable(List<MatrixRow> rows, List<MatrixRow> lmdbRows) {

  private static final Comparator<MatrixRow> ORDER = Comparator.comparingInt(
          (MatrixRow row) -> row.one().valueBytes())
      .thenComparing(row -> row.one().amount())
      .thenComparing(MatrixRow::keys)
      .thenComparingInt(row -> row.one().clients());

  /** Copies the lists. */
  public MatrixTable {
    rows = List.copyOf(rows);
    lmdbRows = List.copyOf(lmdbRows);
  }

  /**
   * Merges the results of cases.
   *
   * @param recorded results by the names of cases
   */
  public static MatrixTable of(List<MatrixCase> cases, Map<String, BenchResult> recorded) {
    List<MatrixRow> rows = new ArrayList<>();
    List<MatrixRow> lmdbRows = new ArrayList<>();
    for (MatrixCase one : cases) {
      BenchResult result = recorded.get(one.name());
      if (result != null) {
        for (KeyPattern keys : KeyPattern.values()) {
          if (keys.order() == one.order()) {
            (one.amount() == Amount.QUARTER ? lmdbRows : rows)
                .add(new MatrixRow(one, keys, result.runs()));
          }
        }
      }
    }
    rows.sort(ORDER);
    lmdbRows.sort(ORDER);
    return new MatrixTable(rows, lmdbRows);
  }

  /** All cells beside RocksDB. */
  public List<Cell> cells() {
    return rows.stream().flatMap(row -> row.cells().stream()).toList();
  }

  /** The cells with a ratio below a bound, lowest first. */
  public List<Cell> below(double bound) {
    return cells().stream()
        .filter(cell -> cell.ratio() < bound)
        .sorted(Comparator.comparingDouble(Cell::ratio))
        .toList();
  }

  /** The geometric mean of the ratios; empty without cells. */
  public static OptionalDouble geometricMean(List<Cell> cells) {
    OptionalDouble logarithm =
        cells.stream().mapToDouble(cell -> Math.log(cell.ratio())).average();
    return logarithm.isPresent()
        ? OptionalDouble.of(Math.exp(logarithm.getAsDouble()))
        : OptionalDouble.empty();
  }
}
