// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.log.ValueLog;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Where a job reads values and where it moves them to.
 *
 * @param log the value log
 * @param segments begins a segment for values that are moved
 * @param helpers threads that copy some of them, if they come to it; what is handed in is over when
 *     the job is, and may be dropped
 */
public record ValuePlaces(ValueLog log, Supplier<MovedSegment> segments, Executor helpers) {

  MovedSegment begin() {
    return segments.get();
  }
}
