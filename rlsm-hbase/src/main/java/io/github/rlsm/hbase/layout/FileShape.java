// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one file that a layout is computed from.
 *
 * @param <F> a handle of the file
 * @param file the file
 * @param span the row range from the first row to just after the last row; null for a file without
 *     cells
 * @param bytes its size
 * @param entries its number of cells
 * @param hints the optional metadata of the file
 * @param free whether a minor compaction may choose the file; false for a reference and for a file
 *     excluded from minor compactions
 */
public record FileShape<F>(
    F file, @Nullable KeyRange span, long bytes, long entries, Hints hints, boolean free) {

  /**
   * Optional metadata of a file. Missing metadata costs time only.
   *
   * @param mark the row range that the file was written for
   * @param rows a filter for rows that the file does not hold
   */
  public record Hints(Optional<KeyRange> mark, RowHint rows) {
    /** The hints of a file that the engine did not write. */
    public static final Hints NONE = new Hints(Optional.empty(), RowHint.NONE);
  }

  /** Whether both files may hold a common row. */
  public boolean intersects(FileShape<F> other) {
    return span != null && other.span != null && span.intersects(other.span);
  }

  /** Whether the row lies between the first and the last row of the file. */
  public boolean spans(byte[] row) {
    return span != null && span.contains(row);
  }

  /** Whether the file may hold a row with this hash. */
  public boolean mayHold(long hash) {
    return hints.rows().mayHold(hash);
  }
}
