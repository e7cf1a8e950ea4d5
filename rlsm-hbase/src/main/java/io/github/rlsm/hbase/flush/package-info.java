// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Writes the memstore out, straight into partitions where it has enough for them.
 *
 * <p>May import: {@code write}, {@code files}, {@code layout}, {@code config}, {@code metrics},
 * {@code values}.
 */
@NullMarked
package io.github.rlsm.hbase.flush;

import org.jspecify.annotations.NullMarked;
