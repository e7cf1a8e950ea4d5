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
 * <p><b>Collection</b> frees value segments: {@link io.github.rlsm.engine.Collector}.
 *
 * <p><b>Threads</b>, all named after the shard: one flushes and keeps the next generation prepared,
 * {@code backgroundThreads} compact. A failure of a write, a force or a flush is kept in
 * {@link io.github.rlsm.engine.Fatal}; from then on writes are refused and reads go on.
 *
 * <p>Lock order: {@code WritePath.switching}, then {@code Views}. Neither is taken by a read, nor
 * by a write that finds room.
 */
@NullMarked
package io.github.rlsm.engine;

import org.jspecify.annotations.NullMarked;
