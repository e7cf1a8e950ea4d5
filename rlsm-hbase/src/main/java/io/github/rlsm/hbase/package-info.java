// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The engine as a store engine inside HBase: {@link io.github.rlsm.hbase.RlsmStoreEngine} is the
 * name that an operator gives to {@code hbase.hstore.engine.class}.
 *
 * <p>Store files stay HFiles, and what is known of them is derived from the files themselves; see
 * ARCHITECTURE.md of this module. May import: {@code config}, {@code files}, {@code compact},
 * {@code layout}, each of which imports only those after it.
 */
@NullMarked
package io.github.rlsm.hbase;

import org.jspecify.annotations.NullMarked;
