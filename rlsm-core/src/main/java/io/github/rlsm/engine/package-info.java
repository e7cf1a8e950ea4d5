// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * One shard: the write path, the views that reads pin, and the background work, wired together.
 * This is the composition root: the only room that starts threads and reads clocks.
 *
 * <p><b>A write</b> claims an entry, reserves space in the log, fills the record, inserts into the
 * Membuffer, publishes, and waits as its durability asks ({@link io.github.rlsm.engine.WritePath}).
 *
 * <p><b>Switch.</b> When a generation is full, the writer that finds it so seals it and puts the
 * next one, prepared in the background, in its place; other writers that meet the full one wait for
 * that alone, readers for nothing. The sealed component is flushed in the background, and once no
 * view names it any more its write-ahead segment and arrays are used again.
 *
 * <p><b>Space.</b> What value segments hold that is still needed is moved by the same jobs that
 * tidy partitions up, when {@link io.github.rlsm.engine.SpaceSurvey} says that it is worth it;
 * {@link io.github.rlsm.engine.EmptySegments} lets go of those that nothing points into.
 *
 * <p><b>Threads</b>, all named after the shard: one flushes and keeps the next generation prepared,
 * {@code backgroundThreads} compact.
 *
 * <p><b>Failures.</b> The {@link io.github.rlsm.engine.FailurePolicy} decides whether an error is
 * transient, from the error and the {@link io.github.rlsm.engine.Activity} that it hit. The
 * {@link io.github.rlsm.engine.BackgroundError} keeps the resulting state. After a transient error
 * the work waits, and a timer or {@code resume()} tries it again. After a permanent error writes
 * are refused and reads go on. Every site that catches an error of background work hands it to
 * {@code report}, and calls {@code worked} when the work succeeds. The method {@code set} is for
 * errors that are permanent in every activity: a record that cannot be stored, and a failed force
 * of the log.
 *
 * <p>Lock order: {@code WritePath.switching}, then {@code Views}. Neither is taken by a read, nor
 * by a write that finds room.
 */
@NullMarked
package io.github.rlsm.engine;

import org.jspecify.annotations.NullMarked;
