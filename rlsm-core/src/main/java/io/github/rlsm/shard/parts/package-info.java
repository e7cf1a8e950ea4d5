// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The commit protocol that keeps the parts of a cross-shard batch in the shards' own logs. Each
 * part is written once. After a crash, the parts of an incomplete batch are cut off from every log.
 *
 * <p>Entry point: {@link io.github.rlsm.shard.parts.PartsProtocol} opens the shards and writes
 * batches. An engine whose log keeps parts implements
 * {@link io.github.rlsm.shard.parts.PartLog.Opening} and
 * {@link io.github.rlsm.shard.parts.PartLog}. May import: {@code shard}, {@code shard.worker},
 * {@code base}, {@code kv}.
 *
 * <p>Threads: the workers write parts; any thread may wait for the durability of other shards.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>A batch has taken effect if all its shards have their parts when they are opened
 *       ({@link io.github.rlsm.shard.parts.RecoveryCut}).
 *   <li>No record follows a part in any log while another part of the batch is missing
 *       ({@link io.github.rlsm.shard.parts.PartsProtocol}).
 *   <li>No shard promises durability that depends on data which another shard can lose (I-11,
 *       {@link io.github.rlsm.shard.parts.CrossShardDurability}).
 * </ol>
 */
@NullMarked
package io.github.rlsm.shard.parts;

import org.jspecify.annotations.NullMarked;
