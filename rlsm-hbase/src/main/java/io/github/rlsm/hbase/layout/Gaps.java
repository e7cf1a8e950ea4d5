// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Rows of a partition that no run lies across, so that it can be divided there without I/O. */
final class Gaps {

  private Gaps() {}

  /**
   * Rows that divide a partition, ascending, each the first one of a run.
   *
   * @param pieceBytes what each piece but the last one weighs at least
   */
  static <F> List<byte[]> of(Partition<F> partition, long pieceBytes) {
    List<RunShape> runs = new ArrayList<>(RunShapes.of(partition.runs()));
    runs.sort(Comparator.comparing(Gaps::first, Arrays::compareUnsigned));
    List<byte[]> gaps = new ArrayList<>();
    byte[] end = new byte[0];
    long bytes = 0;
    for (RunShape run : runs) {
      if (bytes >= pieceBytes && Arrays.compareUnsigned(end, first(run)) <= 0) {
        gaps.add(first(run));
        bytes = 0;
      }
      bytes += run.bytes();
      byte[] to = Objects.requireNonNull(run.span().to());
      end = Arrays.compareUnsigned(end, to) < 0 ? to : end;
    }
    return gaps;
  }

  private static byte[] first(RunShape run) {
    return Objects.requireNonNull(run.span().from());
  }
}
