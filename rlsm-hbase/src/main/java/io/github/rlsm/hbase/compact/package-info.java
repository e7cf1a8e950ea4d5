// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Selects files to compact by the shared policies, and writes one run per touched partition.
 *
 * <p>Entry points: {@code RlsmCompactionPolicy}, which HBase asks for a selection, and
 * {@code RlsmCompactor}, which carries it out. {@code Selector} decides, as a pure function.
 *
 * <p>May import: {@code write}, {@code files}, {@code layout}, {@code config}, {@code metrics},
 * {@code values}.
 */
@NullMarked
package io.github.rlsm.hbase.compact;

import org.jspecify.annotations.NullMarked;
