// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What was measured as tables and pictures for people. Doors:
 * {@link io.github.rlsm.bench.report.StoreReport}, {@link io.github.rlsm.bench.report.RatioChart},
 * {@link io.github.rlsm.bench.report.JmhReport}.
 */
@NullMarked
package io.github.rlsm.bench.report;

import org.jspecify.annotations.NullMarked;
