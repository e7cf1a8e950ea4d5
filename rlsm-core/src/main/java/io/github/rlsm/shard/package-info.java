// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A store made of shards (p2KVS): the keys are dealt out by a frozen hash to independent stores,
 * each served by one worker thread that turns neighbouring requests of one kind into one batch.
 *
 * <p>Doors: {@link io.github.rlsm.shard.ShardedStore}, {@link io.github.rlsm.shard.ShardSettings},
 * {@link io.github.rlsm.shard.AsyncStore}, {@link io.github.rlsm.shard.ShardRouter},
 * {@link io.github.rlsm.shard.Resharding}. Needs of the stores below nothing but
 * {@link io.github.rlsm.kv.KvStore}, so that any engine will do. One whose log keeps parts of
 * batches says so by {@link io.github.rlsm.shard.PartLogOpening} and
 * {@link io.github.rlsm.shard.PartLog}. May import: {@code io}, {@code base}, {@code kv}.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>Every write of a shard is made by its worker, in the order of its queue; what concerns
 *       several shards enters their queues in one order everywhere
 *       ({@link io.github.rlsm.shard.Shards}), so meetings cannot wait for each other in a circle.
 *   <li>A worker that has done its part of a meeting serves nothing else until all have done
 *       theirs: so what a meeting did is seen by all later requests or by none.
 *   <li>A batch over several shards is there whole or not at all. By redo it happens when its
 *       record is durable, and then everywhere (I-9, {@link io.github.rlsm.shard.RedoTransaction}).
 *       By parts it happened if all shards have theirs when they are opened again
 *       ({@link io.github.rlsm.shard.PartCut}); no shard promises what another may lose (I-11,
 *       {@link io.github.rlsm.shard.Agreement}).
 *   <li>A request that entered a queue ends: it is served, or refused with the reason.
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard;

import org.jspecify.annotations.NullMarked;
