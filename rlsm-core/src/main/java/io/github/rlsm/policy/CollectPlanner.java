// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.Comparator;
import java.util.Optional;

/**
 * Picks the value segment to be collected next.
 *
 * <p>None as long as the store as a whole takes no more space than it may. Else the one that gives
 * back most for what it costs, which is what has to be written again; between two alike the older
 * one, in which less is still going to die by itself (the cost-benefit rule of Rosenblum and
 * Ousterhout, "The Design and Implementation of a Log-Structured File System", section 3.6, with
 * the logarithm of the age, since age is known here by number only). So each collection gives back
 * at least a fixed share of what it copies, and collecting comes to an end when nobody writes.
 *
 * <p>The planner keeps no state; the same space gives the same answer.
 */
public final class CollectPlanner {

  /** How much of the room for garbage is used: what is live is an estimate. */
  private static final double AIM = 0.8;

  private final CollectSettings settings;

  /** Plans by some settings. */
  public CollectPlanner(CollectSettings settings) {
    this.settings = settings;
  }

  /** The number of the segment to collect; empty if none is due. */
  public Optional<ValueSegmentShape> next(SpaceShape space) {
    double aim = 1 + AIM * (settings.maxSpaceAmplification() - 1);
    if (space.diskBytes() <= aim * space.liveBytes()) {
      return Optional.empty();
    }
    return space.segments().stream()
        .filter(segment -> segment.liveFraction() <= settings.liveFractionMax())
        .max(Comparator.comparingDouble(segment -> worth(segment, space.youngest())));
  }

  private static double worth(ValueSegmentShape segment, int youngest) {
    double live = segment.liveFraction();
    int age = Math.max(0, youngest - segment.number());
    return (1 - live) * (1 + Math.log1p(age)) / (live + 1e-3);
  }
}
