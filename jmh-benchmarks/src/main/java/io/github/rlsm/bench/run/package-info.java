// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The measuring process: runs one store through the phases of one workload. Entry point:
 * {@link io.github.rlsm.bench.run.StoreRun}.
 */
@NullMarked
package io.github.rlsm.bench.run;

import org.jspecify.annotations.NullMarked;
