// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The engine's policies played over metadata alone, from gigabytes to a hundred terabytes, beside
 * models of leveled and tiered compaction. Doors: {@link io.github.rlsm.bench.sim.Simulator},
 * {@link io.github.rlsm.bench.sim.SimulationReport}.
 */
@NullMarked
package io.github.rlsm.bench.sim;

import org.jspecify.annotations.NullMarked;
