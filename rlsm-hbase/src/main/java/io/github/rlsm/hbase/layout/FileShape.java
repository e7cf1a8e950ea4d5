// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a layout knows of one file.
 *
 * @param <F> a handle of the file
 * @param file the file
 * @param span its rows, from its first one to just after its last one; null if it holds no cell
 * @param bytes its size
 * @param entries its cells
 * @param hints what the file says of itself
 * @param free whether a compaction may choose it by itself: it is not a reference and not kept out
 *     of minor compactions
 */
public record FileShape<F>(
    F file, @Nullable KeyRange span, long bytes, long entries, Hints hints, boolean free) {

  /**
   * What a file may say of itself; that it says nothing costs time only.
   *
   * @param mark the partition it was written for
   * @param rows which rows it does not hold
   */
  public record Hints(Optional<KeyRange> mark, RowHint rows) {
    /** Of a file that the engine did not write. */
    public static final Hints NONE = new Hints(Optional.empty(), RowHint.NONE);
  }

  /** Whether both files may hold a row. */
  public boolean intersects(FileShape<F> other) {
    return span != null && other.span != null && span.intersects(other.span);
  }

  /** Whether the row lies between the first and the last one of the file. */
  public boolean spans(byte[] row) {
    return span != null && span.contains(row);
  }

  /** Whether the file may hold a row of this hash. */
  public boolean mayHold(long hash) {
    return hints.rows().mayHold(hash);
  }
}
