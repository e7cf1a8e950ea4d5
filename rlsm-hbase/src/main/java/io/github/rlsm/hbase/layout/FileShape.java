// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.util.Collection;
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
 * @param mark the row range that the file was written for; empty if the file does not record it,
 *     which costs time only
 * @param free whether a minor compaction may choose the file; false for a reference and for a file
 *     excluded from minor compactions
 */
public record FileShape<F>(
    F file,
    @Nullable KeyRange span,
    long bytes,
    long entries,
    Optional<KeyRange> mark,
    boolean free) {

  /** The total size of files. */
  public static long bytes(Collection<? extends FileShape<?>> files) {
    return files.stream().mapToLong(FileShape::bytes).sum();
  }

  /** Whether both files may hold a common row. */
  public boolean intersects(FileShape<F> other) {
    return span != null && other.span != null && span.intersects(other.span);
  }

  /** Whether the row lies between the first and the last row of the file. */
  public boolean spans(byte[] row) {
    return span != null && span.contains(row);
  }
}
