// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The launcher behind {@code ./ycsb}: loads a store and runs YCSB's core workloads against it, all
 * in one process, and reports what that took.
 *
 * <p>Door: {@link io.github.rlsm.ycsb.YcsbLauncher}, a command line. YCSB's own
 * {@code CoreWorkload} decides what is done, and the binding in {@code site.ycsb.db.rlsm} does it;
 * this package drives the two from client threads that share nothing but the store, and measures.
 *
 * <p>Imports the binding, YCSB, and {@code io.github.rlsm.kv} for the store's counters.
 */
@NullMarked
package io.github.rlsm.ycsb;

import org.jspecify.annotations.NullMarked;
