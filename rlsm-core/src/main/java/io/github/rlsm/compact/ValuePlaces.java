// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.log.ValueLog;
import java.util.function.Supplier;

/**
 * Where a job reads values and where it moves them to.
 *
 * @param log the value log
 * @param segments begins a segment for values that are moved
 * @param whenDamaged told of segments in which a value could not be read
 */
public record ValuePlaces(ValueLog log, Supplier<MovedSegment> segments, Damage whenDamaged) {

  /** Told of damage. Threads: any. */
  @FunctionalInterface
  public interface Damage {

    /** A value in that segment cannot be read and stays where it is. */
    void met(int segment, CorruptionException damage);
  }

  MovedSegment begin() {
    return segments.get();
  }

  void damaged(int segment, CorruptionException damage) {
    whenDamaged.met(segment, damage);
  }
}
