// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.result.StoreResult;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A figure that a report shows for a run.
 *
 * @param name heading in tables
 * @param phase the phase that the figure describes
 * @param decimals digits after the point in tables
 * @param value reads the figure from a run; empty if the run lacks it
 */
record Metric(
    String name, String phase, int decimals, Function<StoreResult, OptionalDouble> value) {}
