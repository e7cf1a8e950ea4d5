// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Flushes memstores, directly into partitions where a flush has enough bytes for them.
 *
 * <p>Entry point: {@code RlsmFlusher}. {@code FlushCuts} decides which rows go to which file.
 *
 * <p>May import: {@code write}, {@code files}, {@code layout}, {@code config}, {@code metrics},
 * {@code values}.
 */
@NullMarked
package io.github.rlsm.hbase.flush;

import org.jspecify.annotations.NullMarked;
