// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What shards with opportunistic batching bring: RocksDB and this project's store, each alone and
 * under {@link io.github.rlsm.shard.ShardedStore}, by the same calls.
 *
 * <p>Doors: {@link io.github.rlsm.bench.shards.ShardsRun},
 * {@link io.github.rlsm.bench.shards.Contender}.
 */
@NullMarked
package io.github.rlsm.bench.shards;

import org.jspecify.annotations.NullMarked;
