// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of one store or shard: the write path, the views that reads pin, and the background
 * work. This package assembles all other packages.
 *
 * <p><b>A write</b> claims an entry, reserves space in the log, fills the record, inserts into the
 * Membuffer, publishes, and waits as its durability requires
 * ({@link io.github.rlsm.engine.WritePath}).
 *
 * <p><b>Switch.</b> The writer that finds a generation full seals it and installs the next one,
 * which was prepared in the background. Other writers that find it full wait only for this switch;
 * readers wait for nothing. A background thread flushes the sealed component. Once no view uses the
 * component, its write-ahead segment and arrays are reused.
 *
 * <p><b>Space.</b> The jobs that tidy up partitions also relocate live values out of value
 * segments, when {@link io.github.rlsm.engine.SpaceSurvey} reports that this is worth the cost.
 * Segments without pointers into them are retired by {@link io.github.rlsm.engine.EmptySegments}.
 *
 * <p><b>Threads</b>, all named after the shard: one flushes, one prepares the next generation, one
 * deletes files, and {@code backgroundThreads} compact.
 *
 * <p><b>Failures.</b> The {@link io.github.rlsm.engine.FailurePolicy} decides whether an error is
 * transient, from the error and the {@link io.github.rlsm.engine.Activity} that it hit. The
 * {@link io.github.rlsm.engine.BackgroundError} keeps the resulting state. After a transient error
 * the work waits, and a timer or {@code resume()} retries it. After a permanent error writes are
 * refused and reads go on. Every site that catches an error of background work calls
 * {@code report}, and calls {@code worked} when the work succeeds. The method {@code set} is for
 * errors that are permanent in every activity: a record that cannot be stored, and a failed force
 * of the log.
 *
 * <p>Lock order: {@code WritePath.switching}, then {@code ReadStates}. A read takes neither lock. A
 * write takes both if its generation is full, and that of {@code ReadStates} once per mebibyte of
 * log.
 */
@NullMarked
package io.github.rlsm.engine;

import org.jspecify.annotations.NullMarked;
