// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Sizes and figures of the reliability tests.
 *
 * <p>A statistical test gets its size from {@link io.github.rlsm.proof.Proof} and reports the
 * amount of work done. The gate and the full run collect the reports.
 */
@NullMarked
package io.github.rlsm.proof;

import org.jspecify.annotations.NullMarked;
