// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;
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
   * Whether the values that a partition has in a segment are in key order, next to those of most
   * adjacent keys. They are if a move wrote the segment, or if most keys were written in ascending
   * order. The values of one flush do not suffice.
   */
  boolean isInKeyOrder(PartitionShape partition, int segment);

  /** Whether a flush or a move has written a segment, with its values in key order. */
  boolean isSorted(int segment);

  /**
   * Whether almost all of a segment is in memory now. A caller should ask for few segments, because
   * the answer takes a system call.
   */
  boolean isInMemory(int segment);

  /** The value segments that runs of L0 point into. */
  Set<Integer> inL0();

  /**
   * The space that a store takes as policies see it. The figures are estimates, except disk bytes
   * and segment numbers.
   *
   * @param diskBytes bytes of all files, without the bytes that no collection could free, such as
   *     L0 and the log of memory components
   * @param liveBytes bytes of current keys and values
   * @param storedBytes bytes of current keys and values on disk, overhead included
   * @param newShare the share of recent writes that replace no older entry
   * @param youngest at least the largest number of a value segment; a segment's age is its distance
   *     to this number
   * @param segments the value segments that may be collected: full, flushed, and without known
   *     damage
   */
  record SpaceShape(
      long diskBytes,
      long liveBytes,
      long storedBytes,
      double newShare,
      int youngest,
      List<ValueSegmentShape> segments) {

    /** Copies the list. */
    public SpaceShape {
      segments = List.copyOf(segments);
    }
  }

  /**
   * The metadata of a value segment as policies see it.
   *
   * @param number its number; newer segments have larger numbers
   * @param totalBytes bytes of its records
   * @param liveBytes estimated bytes that must be rewritten to reclaim the segment
   */
  record ValueSegmentShape(int number, long totalBytes, long liveBytes) {

    /** Checks that the live bytes do not exceed the total. */
    public ValueSegmentShape {
      if (number < 1 || liveBytes < 0 || liveBytes > totalBytes) {
        throw new IllegalArgumentException(
            "value segment " + number + " has " + liveBytes + " live bytes of " + totalBytes);
      }
    }

    /** The live share of the segment; 1 for an empty segment, since reclaiming it gains nothing. */
    double liveFraction() {
      return totalBytes == 0 ? 1 : (double) liveBytes / totalBytes;
    }
  }
}
