// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The layout of a store's files: which row ranges are partitions, which files are runs, which are
 * wide, and which files must be compacted together. Pure: no HBase type, no I/O.
 *
 * <p>Entry point: {@link io.github.rlsm.hbase.layout.Layout}.
 *
 * <p>May import: {@code io.github.rlsm.base} and {@code io.github.rlsm.policy} of the embedded
 * engine. Everything here is immutable.
 */
@NullMarked
package io.github.rlsm.hbase.layout;

import org.jspecify.annotations.NullMarked;
