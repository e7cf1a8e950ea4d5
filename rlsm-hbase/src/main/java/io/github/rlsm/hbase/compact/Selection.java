// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.layout.FileShape;
import java.util.Collection;
import java.util.List;

/**
 * What one compaction reads and how it writes.
 *
 * @param <F> a handle of a file
 * @param files the inputs, from oldest to newest
 * @param bounds the rows at which a new file is begun
 * @param cutBytes the size at which a new file is begun, at the next row
 * @param reason why
 */
public record Selection<F>(List<F> files, List<byte[]> bounds, long cutBytes, Reason reason) {

  /** Why files are compacted. */
  public enum Reason {
    /** Somebody asked for it, or it is time for it. */
    MAJOR,
    /** A region split left files that refer to their parent's. */
    REFERENCES,
    /** Wide files go to the partitions, whose own files are not touched. */
    APPEND,
    /** A partition is too large. */
    DIVIDE,
    /** A partition has too many runs. */
    RUNS
  }

  /** For files that are not cut by their size. */
  public static final long UNCUT = Long.MAX_VALUE;

  /** Takes copies. */
  public Selection {
    files = List.copyOf(files);
    bounds = List.copyOf(bounds);
  }

  static <F> Selection<F> of(
      Collection<FileShape<F>> shapes, List<byte[]> bounds, long cutBytes, Reason reason) {
    return new Selection<>(shapes.stream().map(FileShape::file).toList(), bounds, cutBytes, reason);
  }
}
