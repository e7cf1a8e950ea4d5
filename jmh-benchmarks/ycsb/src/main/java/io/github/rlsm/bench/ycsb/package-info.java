// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Runs YCSB's core workloads over this store and over RocksDB, through the same YCSB client. Each
 * run is a separate process, with the same memory for both stores.
 */
@NullMarked
package io.github.rlsm.bench.ycsb;

import org.jspecify.annotations.NullMarked;
