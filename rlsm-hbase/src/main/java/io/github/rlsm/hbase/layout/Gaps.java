// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Rows of a partition that little lies across, so that it can be divided there without I/O. What
 * does lie across becomes wide: a few old rows among many that come in their order must not join
 * all that stood apart.
 */
final class Gaps {

  /** At most this part of the partition's bytes may lie across a gap. */
  private static final int PART_ACROSS = 8;

  private Gaps() {}

  /**
   * Rows that divide a partition, strictly ascending, each the first one of a run. No piece is
   * without runs: what lies across its ends does not count as its own, be it most of it, as where
   * one row is written over and over.
   *
   * @param pieceBytes what the runs that lie in a piece weigh at least, but for the last one
   */
  static <F> List<byte[]> of(Partition<F> partition, long pieceBytes) {
    List<RunShape> runs = new ArrayList<>(RunShapes.of(partition.runs()));
    runs.sort(Comparator.comparing(Gaps::first, Arrays::compareUnsigned));
    long acrossMax = partition.bytes() / PART_ACROSS;
    List<byte[]> gaps = new ArrayList<>();
    int piece = 0;
    for (int i = 1; i < runs.size(); i++) {
      byte[] row = first(runs.get(i));
      boolean enough = ending(runs.subList(piece, i), row) >= Math.max(1, pieceBytes);
      if (enough && across(runs.subList(0, i), row) <= acrossMax) {
        gaps.add(row);
        piece = i;
      }
    }
    return gaps;
  }

  /** Bytes of the runs that have ended when a row begins. */
  private static long ending(List<RunShape> runs, byte[] row) {
    return runs.stream()
        .filter(run -> end(run, row) <= 0)
        .mapToLong(RunShape::bytes)
        .sum();
  }

  /** Bytes of the runs that begin before a row and end after it. */
  private static long across(List<RunShape> runs, byte[] row) {
    return runs.stream()
        .filter(run -> end(run, row) > 0 && Arrays.compareUnsigned(first(run), row) < 0)
        .mapToLong(RunShape::bytes)
        .sum();
  }

  private static int end(RunShape run, byte[] row) {
    return Arrays.compareUnsigned(Objects.requireNonNull(run.span().to()), row);
  }

  private static byte[] first(RunShape run) {
    return Objects.requireNonNull(run.span().from());
  }
}
