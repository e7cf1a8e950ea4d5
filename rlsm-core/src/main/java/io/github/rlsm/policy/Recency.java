// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Decides which runs of L0 may leave it together.
 *
 * <p>L0 runs overlap, and a search reads L0 before L1. If a run left for L1 while an older run with
 * the same key stayed in L0, the search would meet the older version first. A set of runs is
 * <em>closed</em> if it has, for each of its runs, every older run whose span intersects that run's
 * span. Only closed sets may leave. Runs are identified by their index, from oldest to newest.
 */
final class Recency {

  private Recency() {}

  /** The smallest closed set that contains a run. */
  static BitSet closure(List<RunShape> l0, int seed) {
    BitSet members = new BitSet(l0.size());
    members.set(seed);
    // From newest to oldest, so that all newer members are known when a run is examined.
    for (int older = seed - 1; older >= 0; older--) {
      if (intersectsMember(l0, older, members)) {
        members.set(older);
      }
    }
    return members;
  }

  private static boolean intersectsMember(List<RunShape> l0, int older, BitSet members) {
    for (int i = members.nextSetBit(older + 1); i >= 0; i = members.nextSetBit(i + 1)) {
      if (l0.get(i).span().intersects(l0.get(older).span())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The largest closed set of runs that all satisfy a condition. It is the union of the closures of
   * its members, so a caller that takes a member can take the whole closure of the member.
   */
  static BitSet largestClosedSet(List<RunShape> l0, IntPredicate condition) {
    BitSet members = new BitSet(l0.size());
    for (int i = 0; i < l0.size(); i++) {
      if (condition.test(i) && !intersectsOlderOutsider(l0, i, members)) {
        members.set(i);
      }
    }
    return members;
  }

  private static boolean intersectsOlderOutsider(List<RunShape> l0, int run, BitSet members) {
    for (int i = members.nextClearBit(0); i < run; i = members.nextClearBit(i + 1)) {
      if (l0.get(i).span().intersects(l0.get(run).span())) {
        return true;
      }
    }
    return false;
  }
}
