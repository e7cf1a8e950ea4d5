// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A store made of shards (p2KVS). A hash, which is part of the on-disk format, assigns each key to
 * one of several independent stores. One worker thread serves each shard and turns adjacent
 * requests of one kind into one batch.
 *
 * <p>Entry points: {@link io.github.rlsm.shard.ShardedStore},
 * {@link io.github.rlsm.shard.ShardSettings}, {@link io.github.rlsm.shard.AsyncStore},
 * {@link io.github.rlsm.shard.ShardRouter}, {@link io.github.rlsm.shard.Resharding}. The package
 * requires only {@link io.github.rlsm.kv.KvStore} of a shard's store, so any engine can be used. An
 * engine whose log keeps parts of cross-shard batches implements
 * {@link io.github.rlsm.shard.PartLogOpening} and {@link io.github.rlsm.shard.PartLog}. May import:
 * {@code io}, {@code base}, {@code kv}.
 *
 * <p>Terms: a <i>cross-shard batch</i> has keys in several shards. A <i>part</i> is the operations
 * of the batch for one shard. A <i>GSN</i> is the global sequence number of a cross-shard batch.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>The worker of a shard makes every write to the shard, in the order of its queue. Requests
 *       that concern several shards enter all their queues in the same order
 *       ({@link io.github.rlsm.shard.Shards}). So barriers cannot wait for each other in a circle.
 *   <li>A worker that has run its part of a barrier ({@link io.github.rlsm.shard.SnapshotBarrier})
 *       or of a cross-shard batch serves no other request until all parts have ended. So later
 *       requests see all of its effects or no effect.
 *   <li>A cross-shard batch is atomic. With redo, the batch takes effect when its record is durable
 *       (I-9, {@link io.github.rlsm.shard.RedoTransaction}). With parts, the batch has taken effect
 *       if all its shards have their parts when they are opened
 *       ({@link io.github.rlsm.shard.RecoveryCut}). No shard promises durability that depends on
 *       data which another shard can lose (I-11,
 *       {@link io.github.rlsm.shard.CrossShardDurability}).
 *   <li>Every request that entered a queue ends: it is served, or refused with the reason.
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard;

import org.jspecify.annotations.NullMarked;
