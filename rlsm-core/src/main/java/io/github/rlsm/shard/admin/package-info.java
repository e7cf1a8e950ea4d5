// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Opens sharded stores and changes their number of shards.
 *
 * <p>Entry points: {@link io.github.rlsm.shard.admin.ShardOpening},
 * {@link io.github.rlsm.shard.admin.Resharding}. The caller gives a
 * {@link io.github.rlsm.shard.admin.ShardOpener}, which opens the store of one shard. May import:
 * {@code shard}, {@code shard.parts}, {@code shard.redo}, {@code shard.worker}, {@code os},
 * {@code io}, {@code kv}.
 *
 * <p>Threads: one thread opens or reshards a store at a time.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>A shard is opened only as the shard that its identity names. A shard without an identity is
 *       opened only while the file {@code SHARDS} says that the shards are being created.
 *   <li>One change of a name makes a resharded copy the store, after the copy is durable.
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard.admin;

import org.jspecify.annotations.NullMarked;
