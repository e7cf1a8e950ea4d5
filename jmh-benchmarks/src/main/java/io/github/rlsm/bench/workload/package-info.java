// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Workloads: keys, values, distributions and phases. Entry points:
 * {@link io.github.rlsm.bench.workload.Workload}, {@link io.github.rlsm.bench.workload.PhasePlan},
 * {@link io.github.rlsm.bench.workload.MatrixPhases},
 * {@link io.github.rlsm.bench.workload.KeyOrder}, {@link io.github.rlsm.bench.workload.Values},
 * {@link io.github.rlsm.bench.workload.IdSource}.
 */
@NullMarked
package io.github.rlsm.bench.workload;

import org.jspecify.annotations.NullMarked;
