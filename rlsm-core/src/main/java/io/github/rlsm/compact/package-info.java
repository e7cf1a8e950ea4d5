// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Carries out changes to the files: flushes and the plans of {@link io.github.rlsm.policy}.
 *
 * <p>Every job reads a pinned version, writes new tables and value segments, forces them, and
 * <i>returns</i> a {@link io.github.rlsm.version.VersionEdit}. The room {@code background} runs the
 * jobs and installs their edits. A job that fails leaves no trace except files that no version
 * names.
 *
 * <p>Entry points:
 *
 * <ul>
 *   <li>{@link io.github.rlsm.compact.FlushJob} and {@link io.github.rlsm.compact.CompactionJob},
 *       the jobs; they write to {@link io.github.rlsm.compact.TableFactory} and
 *       {@link io.github.rlsm.compact.CompactionJob.ValuePlaces}.
 *   <li>{@link io.github.rlsm.compact.Levels} and {@link io.github.rlsm.compact.ValueSegments}, a
 *       version as policies see it.
 *   <li>{@link io.github.rlsm.compact.ValueCheck}, the check of the value log.
 * </ul>
 *
 * <p>May import: {@code policy}, {@code read}, {@code versionset}, {@code version}, {@code memory},
 * {@code valuelog}, {@code log}, {@code table}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.compact;

import org.jspecify.annotations.NullMarked;
