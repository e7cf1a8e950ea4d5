// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.log.ValueLog;
import java.util.function.Supplier;

/**
 * Where a job reads values and where it moves them to.
 *
 * @param log the value log
 * @param segments begins a segment for values that are moved
 */
public record ValuePlaces(ValueLog log, Supplier<MovedSegment> segments) {

  MovedSegment begin() {
    return segments.get();
  }
}
