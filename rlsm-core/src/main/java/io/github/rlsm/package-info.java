// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The public API of the store: an ordered, durable, embedded key-value engine. Start at
 * {@link io.github.rlsm.Rlsm#open} and {@link io.github.rlsm.RlsmOptions}.
 *
 * <p>This package and {@code io.github.rlsm.kv} are the public API; all packages below are
 * internal. This package checks every argument. Without shards, it maps the user's keyspaces,
 * batches, snapshots and scans to one {@link io.github.rlsm.engine.Engine}. With shards, the store
 * is a {@link io.github.rlsm.shard.ShardedStore} over several such stores.
 */
@NullMarked
package io.github.rlsm;

import org.jspecify.annotations.NullMarked;
