// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The launcher behind {@code ./ycsb}. It loads a store, runs YCSB's core workloads in the same
 * process, and reports speed and cost.
 *
 * <p>Entry point: {@link io.github.rlsm.ycsb.YcsbLauncher}, a command line. YCSB's
 * {@code CoreWorkload} chooses the operations, and the binding in {@code site.ycsb.db.rlsm}
 * executes them. This package drives both from client threads that share only the store, and
 * measures.
 *
 * <p>Imports the binding, YCSB, and {@code io.github.rlsm.kv} for the store's counters.
 */
@NullMarked
package io.github.rlsm.ycsb;

import org.jspecify.annotations.NullMarked;
