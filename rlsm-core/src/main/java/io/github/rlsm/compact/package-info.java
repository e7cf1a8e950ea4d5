// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Carries out what changes the files: flushes and the plans of {@link io.github.rlsm.policy}.
 *
 * <p>Every job reads a pinned version, writes new tables and value segments, forces them, and
 * <i>returns</i> a {@link io.github.rlsm.version.VersionEdit}; only the engine installs one. A job
 * that fails leaves files that no version names, and nothing else.
 *
 * <p>Doors: {@link io.github.rlsm.compact.FlushJob}, {@link io.github.rlsm.compact.PlanJob},
 * {@link io.github.rlsm.compact.ValuePlaces}, {@link io.github.rlsm.compact.Levels} and
 * {@link io.github.rlsm.compact.ValueSegments} (a version as the policies see it),
 * {@link io.github.rlsm.compact.ValueCheck}, {@link io.github.rlsm.compact.TableFactory}. May
 * import: {@code policy}, {@code read}, {@code version}, {@code memory}, {@code log},
 * {@code level}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.compact;

import org.jspecify.annotations.NullMarked;
