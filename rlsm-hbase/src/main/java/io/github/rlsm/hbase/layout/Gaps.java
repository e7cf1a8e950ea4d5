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
 * Finds rows at which a partition can be divided without I/O, because few bytes lie across them. A
 * run that lies across such a row becomes a wide file. A few old rows among many rows that arrive
 * in order must not prevent the division.
 */
final class Gaps {

  /** At most one in this many bytes of the partition may lie across a gap. */
  private static final int PART_ACROSS = 8;

  private Gaps() {}

  /**
   * Returns rows that divide a partition, strictly ascending, each the first row of a run. Every
   * piece has runs. A run that crosses the end of a piece does not count for the piece. Such runs
   * hold most of the bytes where one row is overwritten repeatedly; they do not count even then.
   *
   * @param pieceBytes the smallest total size of the runs within a piece, except for the last piece
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

  /** Bytes of the runs that end at or before a row. */
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
