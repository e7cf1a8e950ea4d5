// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.valuelog.ValueLog;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The source and the destination of a job that moves values.
 *
 * @param log the value log
 * @param segments creates a segment for moved values
 * @param helpers threads that copy values when they are idle. A task that starts after the job has
 *     ended does nothing, and a task may be dropped
 */
public record ValuePlaces(ValueLog log, Supplier<RelocatedSegment> segments, Executor helpers) {

  RelocatedSegment begin() {
    return segments.get();
  }
}
