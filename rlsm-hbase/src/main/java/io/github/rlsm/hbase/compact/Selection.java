// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.write.FilePlan;
import java.util.Collection;
import java.util.List;

/**
 * What one compaction reads and how it writes.
 *
 * @param <F> a handle of a file
 * @param files the inputs, from oldest to newest
 * @param cuts where new files are begun
 * @param reason why
 */
public record Selection<F>(List<F> files, Cuts cuts, Reason reason) {

  /**
   * Where new files are begun.
   *
   * @param bounds rows at which one is begun
   * @param bytes the size at which one is begun, at the next row
   */
  public record Cuts(List<byte[]> bounds, long bytes) {

    /** Nowhere. */
    public static final Cuts NONE = at(List.of());

    /** Takes a copy. */
    public Cuts {
      bounds = List.copyOf(bounds);
    }

    /** At bounds alone. */
    public static Cuts at(List<byte[]> bounds) {
      return new Cuts(bounds, FilePlan.UNCUT);
    }
  }

  /** Why files are compacted. */
  public enum Reason {
    /** Somebody asked for it, or it is time for it. */
    MAJOR,
    /** A region split left files that refer to their parent's. */
    REFERENCES,
    /** Wide files go to the partitions, whose own files are not touched. */
    APPEND,
    /** A partition has too many runs, and is cut since it is too large as well. */
    DIVIDE,
    /** A partition has too many runs. */
    RUNS,
    /** Value files have more dead values than live ones, which leave them. */
    COLLECT,
    /** There are many small value files. */
    VALUES
  }

  /** Takes a copy. */
  public Selection {
    files = List.copyOf(files);
  }

  static <F> Selection<F> of(Collection<FileShape<F>> shapes, Cuts cuts, Reason reason) {
    return new Selection<>(shapes.stream().map(FileShape::file).toList(), cuts, reason);
  }
}
