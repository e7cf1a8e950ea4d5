// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The queue and the worker thread of each shard. A worker turns adjacent requests of one kind into
 * one batch. A barrier lets several workers act at the same moment.
 *
 * <p>Entry points: {@link io.github.rlsm.shard.worker.Shards}, which holds all workers, and
 * {@link io.github.rlsm.shard.worker.Request}, a unit of work for one shard.
 * {@link io.github.rlsm.shard.worker.ShardRouter} maps keys to shards. May import: {@code thread},
 * {@code base}, {@code kv}.
 *
 * <p>Threads: callers submit requests; each worker's thread serves its own queue.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>The worker of a shard makes every write to the shard, in the order of its queue. Requests
 *       that concern several shards enter all their queues in the same order
 *       ({@link io.github.rlsm.shard.worker.Shards}). So barriers cannot wait for each other in a
 *       circle.
 *   <li>A worker that has run its part of a barrier serves no other request until all parts have
 *       ended. So all parts see one state.
 *   <li>Every request that entered a queue ends: it is served, or refused with the reason.
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard.worker;

import org.jspecify.annotations.NullMarked;
