// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of measurements, as tables and charts. Entry points:
 * {@link io.github.rlsm.bench.report.StoreReport}, {@link io.github.rlsm.bench.report.RatioChart},
 * {@link io.github.rlsm.bench.report.JmhReport}.
 */
@NullMarked
package io.github.rlsm.bench.report;

import org.jspecify.annotations.NullMarked;
