// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Reads: point lookups and scans of a {@link io.github.rlsm.read.ReadState}, and snapshots, which
 * hold one.
 *
 * <p>Entry points: {@link io.github.rlsm.read.ReadStates}, which has the current read state;
 * {@link io.github.rlsm.read.Lookup}; {@link io.github.rlsm.read.Scans}, which opens scans;
 * {@link io.github.rlsm.read.Snapshots}. The cursors, which merge sorted sources into one, also
 * serve compactions.
 *
 * <p>A read state is what one read sees: the memory components, newest first, and a pinned version
 * of the files. A reader pins a read state without taking a lock. Files and memory that a pinned
 * read state names are not recycled, unmapped or deleted. A snapshot is a pinned read state and a
 * seqno. So tables need not keep an old version of a key for a snapshot.
 *
 * <p>A lookup searches in this order, and the first version found wins: memory components newest
 * first, level 0 newest first, then the partition of the key, its runs newest first.
 *
 * <p>May import: {@code versionset}, {@code version}, {@code memory}, {@code valuelog},
 * {@code log}, {@code table}, {@code io}, {@code policy}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.read;

import org.jspecify.annotations.NullMarked;
