// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.Map;
import java.util.Set;

/** Describes the space that a store takes, and which value segments each partition points into. */
public interface ValueUse {

  /** The space the store takes. */
  SpaceShape space();

  /**
   * The bytes of live values that a run has in each value segment, estimated. The map has every
   * segment that a pointer of the run leads to, except segments that the run's values were moved
   * out of.
   *
   * @param run index of the run
   */
  Map<Integer, Long> bytes(PartitionShape partition, int run);

  /**
   * Estimates the bytes of value segments that become holes if all runs of a partition are merged
   * and no value is moved. 0 if the file system cannot punch holes.
   */
  long holeBytes(PartitionShape partition);

  /**
   * Whether a segment was written by a move. Its values are then in key order, not in write order.
   */
  boolean isInKeyOrder(int segment);

  /** The value segments that runs of L0 point into. */
  Set<Integer> inL0();
}
