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
   * Rows that divide a partition, ascending, each the first one of a run.
   *
   * @param pieceBytes what each piece but the last one weighs at least
   */
  static <F> List<byte[]> of(Partition<F> partition, long pieceBytes) {
    List<RunShape> runs = new ArrayList<>(RunShapes.of(partition.runs()));
    runs.sort(Comparator.comparing(Gaps::first, Arrays::compareUnsigned));
    long acrossMax = partition.bytes() / PART_ACROSS;
    List<byte[]> gaps = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < runs.size(); i++) {
      byte[] row = first(runs.get(i));
      if (bytes >= pieceBytes && across(runs.subList(0, i), row) <= acrossMax) {
        gaps.add(row);
        bytes = 0;
      }
      bytes += runs.get(i).bytes();
    }
    return gaps;
  }

  private static long across(List<RunShape> begunBefore, byte[] row) {
    return begunBefore.stream()
        .filter(run -> Arrays.compareUnsigned(Objects.requireNonNull(run.span().to()), row) > 0)
        .mapToLong(RunShape::bytes)
        .sum();
  }

  private static byte[] first(RunShape run) {
    return Objects.requireNonNull(run.span().from());
  }
}
