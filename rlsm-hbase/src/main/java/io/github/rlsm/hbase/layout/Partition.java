// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.util.List;

/**
 * A row range and the files that lie entirely within it.
 *
 * @param <F> a handle of a file
 * @param range the rows; the ranges of a layout's partitions cover all rows without overlap
 * @param runs the files, from oldest to newest
 */
public record Partition<F>(KeyRange range, List<FileShape<F>> runs) {

  /** Copies the list of runs. */
  public Partition {
    runs = List.copyOf(runs);
  }

  /** The total size of all runs. */
  public long bytes() {
    return FileShape.bytes(runs);
  }
}
