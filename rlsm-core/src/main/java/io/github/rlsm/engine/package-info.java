// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of one store or shard: its operations, the write path, opening and closing.
 *
 * <p><b>Sides.</b> An engine consists of a few sides. {@code EngineOpening} creates them in this
 * order, each from the ones above it in the list, and {@code EngineClosing} closes them in reverse.
 *
 * <ol>
 *   <li>{@link io.github.rlsm.background.StoreFiles}: tables, value segments, manifest, directory.
 *   <li>{@link io.github.rlsm.background.StoreMemory}: memory components and the log below them.
 *   <li>{@code LogForce} and {@code CommittedSeqno}: the durability of the log.
 *   <li>{@link io.github.rlsm.background.BackgroundWork}: flushes, compactions and their retries.
 *   <li>{@code ActiveGeneration} and {@code WritePath}: writes.
 *   <li>{@link io.github.rlsm.read.Lookup}, {@link io.github.rlsm.read.Snapshots} and
 *       {@link io.github.rlsm.read.Scans}: reads.
 * </ol>
 *
 * <p><b>Entry points.</b> {@link io.github.rlsm.engine.Engine}, and
 * {@link io.github.rlsm.engine.EngineOpening}, which opens one of several stores that share
 * batches.
 *
 * <p><b>A write</b> claims an entry number, reserves space in the log, fills the record, inserts
 * into the Membuffer, publishes, and waits as its durability requires ({@code WritePath}).
 *
 * <p><b>Switch.</b> The writer that finds a generation full seals it and installs the next one,
 * which was prepared in the background ({@code ActiveGeneration}). Other writers that find it full
 * wait only for this switch; readers wait for nothing. A background thread flushes the sealed
 * component. Once no read state uses the component, its write-ahead segment and arrays are reused.
 *
 * <p><b>Threads.</b> Any thread may call. Lock order: {@code ActiveGeneration.switching}, then
 * {@code ReadStates}. A read takes neither lock. A write takes both if its generation is full, and
 * the lock of {@code ReadStates} once per mebibyte of log.
 *
 * <p>May import: {@code background}, {@code compact}, {@code read}, {@code versionset},
 * {@code memory}, {@code logdevice}, {@code version}, {@code log}, {@code table}, {@code io},
 * {@code thread}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.engine;

import org.jspecify.annotations.NullMarked;
