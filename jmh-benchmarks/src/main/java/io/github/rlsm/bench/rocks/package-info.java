// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * RocksDB as a {@link io.github.rlsm.kv.KvStore}, alone and as the shards of a
 * {@link io.github.rlsm.shard.ShardedStore}. It shows that shards work over another engine than
 * ours, under the same contract.
 *
 * <p>Entry point: {@link io.github.rlsm.bench.rocks.RocksKvStore}.
 */
@NullMarked
package io.github.rlsm.bench.rocks;

import org.jspecify.annotations.NullMarked;
