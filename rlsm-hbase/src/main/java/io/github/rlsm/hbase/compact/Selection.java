// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.write.FilePlan;
import java.util.Collection;
import java.util.List;

/**
 * The inputs of one compaction and the rules for its output.
 *
 * @param <F> a handle of a file
 * @param files the inputs, from oldest to newest
 * @param cuts where new files begin
 * @param reason the reason for the compaction
 */
public record Selection<F>(List<F> files, Cuts cuts, Reason reason) {

  /**
   * The places where new files begin.
   *
   * @param bounds rows at which a new file begins
   * @param bytes the size above which a new file begins, at the next row
   */
  public record Cuts(List<byte[]> bounds, long bytes) {

    /** No cut. */
    public static final Cuts NONE = at(List.of());

    /** Copies the bounds. */
    public Cuts {
      bounds = List.copyOf(bounds);
    }

    /** Cuts at bounds only. */
    public static Cuts at(List<byte[]> bounds) {
      return new Cuts(bounds, FilePlan.UNCUT);
    }
  }

  /** Reasons for a compaction. */
  public enum Reason {
    /** A user requested a major compaction, or it is time for one. */
    MAJOR,
    /** A region split left references to the parent's files. */
    REFERENCES,
    /** Wide files are appended to the partitions, whose own files are not read. */
    APPEND,
    /** A partition has too many runs and exceeds its largest size, so it is divided. */
    DIVIDE,
    /** A partition has too many runs. */
    RUNS,
    /** Scans have paid for a merge of runs. */
    SCANS,
    /** Value files hold more dead values than live ones; the live ones are moved. */
    COLLECT,
    /** Many value files are small. */
    VALUES,
    /** Scans have paid for key order of values. */
    ORDER;

    /** Whether the inputs are value files, which are merged without a change of key files. */
    boolean isOfValueFiles() {
      return this == VALUES || this == ORDER;
    }
  }

  /** Copies the list of files. */
  public Selection {
    files = List.copyOf(files);
  }

  static <F> Selection<F> of(Collection<FileShape<F>> shapes, Cuts cuts, Reason reason) {
    return new Selection<>(shapes.stream().map(FileShape::file).toList(), cuts, reason);
  }
}
