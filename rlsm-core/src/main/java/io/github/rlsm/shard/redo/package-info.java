// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The commit protocol for shards of any engine: a cross-shard batch is first forced to a redo log,
 * the file {@code SHARDS}, and then applied to its shards. The file also holds the number of shards
 * and their current set, for both protocols.
 *
 * <p>Entry points: {@link io.github.rlsm.shard.redo.RedoProtocol} writes batches,
 * {@link io.github.rlsm.shard.redo.TransactionLog} and
 * {@link io.github.rlsm.shard.redo.TransactionLogReader} write and read the file. May import:
 * {@code shard}, {@code shard.worker}, {@code io}, {@code kv}.
 *
 * <p>Threads: the workers apply parts; the last of them to arrive appends the record.
 *
 * <p>Invariant kept here: a batch takes effect when its record is durable. Before that, all earlier
 * writes of its shards are durable (I-9, {@link io.github.rlsm.shard.redo.RedoProtocol}).
 */
@NullMarked
package io.github.rlsm.shard.redo;

import org.jspecify.annotations.NullMarked;
