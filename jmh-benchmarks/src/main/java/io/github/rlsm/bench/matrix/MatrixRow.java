// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A row of the table.
 *
 * @param one the case
 * @param keys the keys of the row's phases
 * @param runs the results of the case, one for each store
 */
public record MatrixRow(MatrixCase one, KeyPattern keys, List<StoreResult> runs) {

  /** Copies the list. */
  public MatrixRow {
    runs = List.copyOf(runs);
  }

  /**
   * A measured cell.
   *
   * @param row the row
   * @param column the column
   * @param own operations per second of this project's store
   * @param peer operations per second of the fastest peer
   * @param fastest that peer
   */
  public record Cell(
      MatrixRow row, MatrixColumn column, double own, double peer, StoreKind fastest) {

    /** This project's rate divided by the rate of the fastest peer. */
    public double ratio() {
      return own / peer;
    }
  }

  /** The result of a store, if it was measured. */
  Optional<StoreResult> run(StoreKind store) {
    return runs.stream().filter(run -> run.spec().store() == store).findFirst();
  }

  /** The cell of a column; empty if this project's store or every peer lacks the phase. */
  public Optional<Cell> cell(MatrixColumn column) {
    OptionalDouble own = run(StoreKind.RLSM).stream()
        .flatMapToDouble(run -> column.rate(run, keys).stream())
        .findFirst();
    if (own.isEmpty()) {
      return Optional.empty();
    }
    return runs.stream()
        .filter(run -> run.spec().store() != StoreKind.RLSM)
        .flatMap(run -> column.rate(run, keys).stream()
            .filter(rate -> rate > 0)
            .mapToObj(rate ->
                new Cell(this, column, own.getAsDouble(), rate, run.spec().store())))
        .max(Comparator.comparingDouble(Cell::peer));
  }

  /** All measured cells, in the order of columns. */
  public List<Cell> cells() {
    return Arrays.stream(MatrixColumn.values())
        .flatMap(column -> cell(column).stream())
        .toList();
  }
}
