// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Simulates the engine's policies on metadata, from gigabytes to a hundred terabytes, with models
 * of leveled and tiered compaction. Entry points: {@link io.github.rlsm.bench.sim.Simulator},
 * {@link io.github.rlsm.bench.sim.SimulationReport}.
 */
@NullMarked
package io.github.rlsm.bench.sim;

import org.jspecify.annotations.NullMarked;
