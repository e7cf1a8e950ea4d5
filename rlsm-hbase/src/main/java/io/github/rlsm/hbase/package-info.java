// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A store engine for HBase that partitions and compacts HFiles by the policies of RLSM. It shares
 * {@code policy} and {@code base} with the embedded engine, and nothing else. An operator enables
 * {@link io.github.rlsm.hbase.RlsmStoreEngine} with the option {@code hbase.hstore.engine.class}.
 *
 * <p>Store files stay HFiles, and the layout is derived from the files themselves; see
 * ARCHITECTURE.md of this module. May import: {@code compact}, {@code flush}, {@code files},
 * {@code config}, {@code metrics}, {@code layout}. Imports between packages run one way.
 */
@NullMarked
package io.github.rlsm.hbase;

import org.jspecify.annotations.NullMarked;
