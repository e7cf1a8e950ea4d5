// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A store made of shards (p2KVS). A hash, which is part of the on-disk format, assigns each key to
 * one of several independent stores. One worker thread serves each shard and turns adjacent
 * requests of one kind into one batch.
 *
 * <p>Entry point: {@link io.github.rlsm.shard.ShardedStore}. The store makes cross-shard batches
 * atomic with a {@link io.github.rlsm.shard.CommitProtocol}, which defines a transaction. The rooms
 * {@code shard.parts} and {@code shard.redo} implement it, and {@code shard.admin} selects one of
 * them. The store requires only {@link io.github.rlsm.kv.KvStore} of a shard's store, so any engine
 * can be used. May import: {@code shard.worker}, {@code kv}.
 *
 * <p>Terms: a <i>cross-shard batch</i> has keys in several shards. A <i>part</i> is the operations
 * of the batch for one shard. A <i>GSN</i> is the global sequence number of a cross-shard batch.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>A cross-shard batch is atomic. With redo, the batch takes effect when its record is durable
 *       (I-9). With parts, the batch has taken effect if all its shards have their parts when they
 *       are opened.
 *   <li>A worker that has run its part of a cross-shard batch serves no other request until all
 *       parts have ended. So later requests see all of its effects or no effect.
 *   <li>A keyspace exists if shard 0 has it.
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard;

import org.jspecify.annotations.NullMarked;
