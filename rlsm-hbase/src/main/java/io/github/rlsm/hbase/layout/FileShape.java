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
 * @param mark the partition it was written for, if it says so
 * @param free whether a compaction may choose it by itself: it is not a reference, not kept out of
 *     minor compactions, and not too large for them
 */
public record FileShape<F>(
    F file, @Nullable KeyRange span, long bytes, Optional<KeyRange> mark, boolean free) {

  /** Whether both files may hold a row. */
  public boolean intersects(FileShape<F> other) {
    return span != null && other.span != null && span.intersects(other.span);
  }
}
