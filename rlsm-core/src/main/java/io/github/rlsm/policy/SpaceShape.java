// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;

/**
 * The space that a store takes, as far as a decision may know it.
 *
 * @param diskBytes bytes of all its files, without what is sure to be freed soon
 * @param liveBytes bytes of the keys and values that are current, about
 * @param storedBytes what they take where they stand, with all that is stored beside them, about
 * @param newShare of what is being written, the share that takes the place of nothing older, about
 * @param youngest the largest number that a value segment has
 * @param segments the value segments that may be collected: filled, flushed, and in nobody's hands
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
