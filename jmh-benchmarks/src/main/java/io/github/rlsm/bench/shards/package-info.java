// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the effect of shards with opportunistic batching on RocksDB and on this project's store.
 * Each runs alone and under {@link io.github.rlsm.shard.ShardedStore}, with the same calls.
 *
 * <p>Entry points: {@link io.github.rlsm.bench.shards.ShardsRun},
 * {@link io.github.rlsm.bench.shards.Contender}.
 */
@NullMarked
package io.github.rlsm.bench.shards;

import org.jspecify.annotations.NullMarked;
