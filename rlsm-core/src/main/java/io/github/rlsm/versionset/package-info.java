// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The set of versions: the current one, on disk and in memory, and the older ones that readers
 * still use.
 *
 * <p>{@link io.github.rlsm.versionset.VersionSet} installs edits, first on disk and then in memory.
 * On disk, the manifest is a log of edits, and the file {@code CURRENT} names the manifest in
 * force. Readers pin the current version without a lock.
 * {@link io.github.rlsm.versionset.ManifestRecovery} reads the version of a directory, finds files
 * that a crash has left behind, and changes nothing.
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
 * <p>Entry points: the types above, {@link io.github.rlsm.versionset.PinnedVersion}, and
 * {@link io.github.rlsm.versionset.PinCount}, which other packages use to count their users. Bytes:
 * FORMAT.md, "The manifest and its marker". May import: {@code version}, {@code log}, {@code io},
 * {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.versionset;

import org.jspecify.annotations.NullMarked;
