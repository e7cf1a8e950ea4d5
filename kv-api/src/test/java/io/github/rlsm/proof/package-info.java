// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Sizes and figures of the reliability tests.
 *
 * <p>A statistical test asks {@link io.github.rlsm.proof.Proof} how much to do and reports how much
 * it did. The gate and the full run collect the reports.
 */
@NullMarked
package io.github.rlsm.proof;

import org.jspecify.annotations.NullMarked;
