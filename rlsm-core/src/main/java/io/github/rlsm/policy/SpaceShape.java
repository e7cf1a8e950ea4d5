// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;

/**
 * The space that a store takes as policies see it. The figures are estimates, except disk bytes and
 * segment numbers.
 *
 * @param diskBytes bytes of all files, without the bytes that no collection could free, such as L0
 *     and the log of memory components
 * @param liveBytes bytes of current keys and values
 * @param storedBytes bytes of current keys and values on disk, overhead included
 * @param newShare the share of recent writes that replace no older entry
 * @param youngest at least the largest number of a value segment; a segment's age is its distance
 *     to this number
 * @param segments the value segments that may be collected: full, flushed, and without known damage
 */
public record SpaceShape(
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
