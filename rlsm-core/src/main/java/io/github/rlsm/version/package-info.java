// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The live file set: which tables each level holds, how edits change it, and how it survives a
 * crash.
 *
 * <p>A {@link io.github.rlsm.version.Version} is an immutable value. Applying a
 * {@link io.github.rlsm.version.VersionEdit} to it gives the next version. Jobs create edits. Only
 * {@link io.github.rlsm.version.VersionSet} installs them, first on disk and then in memory.
 * Readers pin the current version without a lock. {@link io.github.rlsm.version.ManifestRecovery}
 * reads the version of a directory and changes nothing. {@link io.github.rlsm.version.OrphanSweep}
 * finds files that a crash has left behind.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>(V-1) An edit is durable before a reader can see it.
 *   <li>(V-2) A file is closed and deleted only when neither the manifest nor a pinned version
 *       names it.
 *   <li>(V-3) After a crash, the version is the result of the last install that returned, or of the
 *       install that was running.
 * </ol>
 *
 * <p>Entry points: the types above, the values in them,
 * {@link io.github.rlsm.version.PinnedVersion}, and {@link io.github.rlsm.version.PinCount}, which
 * other packages use to count their users. Bytes: FORMAT.md, "The manifest and its marker". May
 * import: {@code log}, {@code level}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.version;

import org.jspecify.annotations.NullMarked;
