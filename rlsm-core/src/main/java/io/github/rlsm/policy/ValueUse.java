// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.Map;
import java.util.Set;

/** What space a store takes, and which partition's values stand in which value segments. */
public interface ValueUse {

  /** The space the store takes. */
  SpaceShape space();

  /**
   * About how many bytes of live values a run has in each value segment it points into. None of the
   * segments that any of its pointers leads to is missing, but those it was moved out of.
   *
   * @param run index of the run
   */
  Map<Integer, Long> bytes(PartitionShape partition, int run);

  /**
   * About how many bytes of value segments would become holes if all runs of a partition were
   * rewritten as one, and nothing was moved; 0 where there cannot be holes.
   */
  long holeBytes(PartitionShape partition);

  /**
   * Whether a segment's values were moved there, in the order of their keys; not in the order in
   * which they were written.
   */
  boolean isInKeyOrder(int segment);

  /** Value segments that runs of L0 point into. */
  Set<Integer> inL0();
}
