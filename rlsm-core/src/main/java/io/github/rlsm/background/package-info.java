// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The background work of an open store, and the two sides of the store that it works on.
 *
 * <p>{@link io.github.rlsm.background.StoreMemory} holds the data that is not flushed: memory
 * components and the log segments below them. {@link io.github.rlsm.background.StoreFiles} holds
 * the flushed data: tables, value segments and the manifest. The flusher moves data from the first
 * to the second. The compactor rewrites the second.
 *
 * <p><b>Entry points.</b> {@link io.github.rlsm.background.BackgroundWork} knows which work follows
 * which event, and {@code Flusher} and {@code Compactor} do the work. {@code FlightRecorder}
 * records it for operators.
 *
 * <p><b>Space.</b> The jobs that tidy up partitions also relocate live values out of value
 * segments, when {@code SpaceSurvey} reports that this is worth the cost. {@code EmptySegments}
 * retires the segments that no pointer leads into (I-8).
 *
 * <p><b>Memory at rest.</b> {@code IdleLoading} brings indexes into memory, and tables and
 * relocated values into memory that nothing uses.
 *
 * <p><b>Back-pressure.</b> The compactor measures the pressure at each decision, and
 * {@link io.github.rlsm.background.WriteThrottle} delays writers by it.
 *
 * <p><b>Failures.</b> {@code FailurePolicy} decides whether an error is transient, from the error
 * and the {@link io.github.rlsm.background.BackgroundError.Activity} that it hit.
 * {@link io.github.rlsm.background.BackgroundError} keeps the resulting state. After a transient
 * error the work waits, and a timer or {@code resume()} retries it. After a permanent error writes
 * are refused and reads go on. Every site that catches an error of background work calls
 * {@code report}, and calls {@code worked} when the work succeeds. The method {@code set} is for
 * errors that are permanent in every activity: a record that cannot be stored, and a failed force
 * of the log.
 *
 * <p><b>Threads</b>, all named after the directory: one flushes, one prepares the next generation,
 * one deletes files, and {@code backgroundThreads} compact. Locks and their order: rows 6 to 15 of
 * the table "Threads and locks" in ARCHITECTURE.md.
 *
 * <p>May import: {@code compact}, {@code read}, {@code versionset}, {@code memory},
 * {@code valuelog}, {@code version}, {@code log}, {@code table}, {@code io}, {@code policy},
 * {@code thread}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.background;

import org.jspecify.annotations.NullMarked;
