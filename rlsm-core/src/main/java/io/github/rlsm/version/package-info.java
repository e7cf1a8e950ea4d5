// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The live file set as a value: which tables each level holds, and how edits change that.
 *
 * <p>A {@link io.github.rlsm.version.Version} is immutable. Applying a
 * {@link io.github.rlsm.version.VersionEdit} to it gives the next version. Jobs create edits; the
 * version set installs them. An edit is a sequence of encoded changes: {@code EditLayout} defines
 * the bytes. May import: {@code io}, {@code base}, {@code kv}.
 *
 * <p>Entry points: the two types above and the values in them. Bytes: FORMAT.md, "Version edit".
 *
 * <p>Invariants: see {@link io.github.rlsm.version.Version}.
 */
@NullMarked
package io.github.rlsm.version;

import org.jspecify.annotations.NullMarked;
