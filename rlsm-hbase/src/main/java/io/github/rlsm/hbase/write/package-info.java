// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Writes sorted cells to one file per partition, for both flushes and compactions.
 *
 * <p>Entry points: {@code PartitionedFileWriter}, and {@code SeparatingWriter}, which separates
 * large values.
 *
 * <p>May import: {@code files}, {@code layout}, {@code config}, {@code metrics}, {@code values}.
 */
@NullMarked
package io.github.rlsm.hbase.write;

import org.jspecify.annotations.NullMarked;
