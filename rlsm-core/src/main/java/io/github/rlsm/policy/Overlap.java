// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** Computes how runs of a partition overlap. */
final class Overlap {

  private Overlap() {}

  /**
   * The indexes of the runs that overlap at the key with the most runs. Their number is the largest
   * number of runs that a lookup has to search.
   */
  static BitSet deepest(List<RunShape> runs) {
    List<RunShape> byStart = new ArrayList<>(runs);
    byStart.sort((a, b) -> Arrays.compareUnsigned(a.span().from(), b.span().from()));
    List<RunShape> byEnd = new ArrayList<>(runs);
    byEnd.sort((a, b) -> Arrays.compareUnsigned(a.span().to(), b.span().to()));
    int ended = 0;
    int most = 0;
    byte[] where = new byte[0];
    for (int started = 1; started <= byStart.size(); started++) {
      byte[] start = Objects.requireNonNull(byStart.get(started - 1).span().from());
      while (Arrays.compareUnsigned(byEnd.get(ended).span().to(), start) <= 0) {
        ended++;
      }
      if (started - ended > most) {
        most = started - ended;
        where = start;
      }
    }
    BitSet deepest = new BitSet(runs.size());
    for (int i = 0; i < runs.size(); i++) {
      deepest.set(i, runs.get(i).span().contains(where));
    }
    return deepest;
  }
}
