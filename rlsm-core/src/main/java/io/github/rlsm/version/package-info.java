// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The live file set: which tables stand where, how that changes, and how it survives a crash.
 *
 * <p>A {@link io.github.rlsm.version.Version} is a value. A
 * {@link io.github.rlsm.version.VersionEdit} makes the next one of it; jobs make edits and only
 * {@link io.github.rlsm.version.VersionSet} installs them, on disk first and in memory then.
 * Readers pin the current version without a lock. {@link io.github.rlsm.version.ManifestRecovery}
 * reads a directory back and changes nothing; {@link io.github.rlsm.version.OrphanSweep} names what
 * a crash left over.
 *
 * <p>Invariants: (V-1) an edit is durable before anyone can see it; (V-2) a file is closed and
 * deleted only when neither the manifest nor a pinned version names it; (V-3) after a crash the
 * version is that of the last install that returned, or of the one that was running.
 *
 * <p>Doors: the types above, the values they are made of,
 * {@link io.github.rlsm.version.PinnedVersion}, and {@link io.github.rlsm.version.PinCount}, with
 * which other rooms count users in the same way. Bytes: FORMAT.md, "The manifest and its marker".
 * May import: {@code level}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.version;

import org.jspecify.annotations.NullMarked;
