// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What has been written and not yet flushed: FloDB's two memory tiers, over the log.
 *
 * <p>A {@link io.github.rlsm.memory.MemoryComponent} belongs to one
 * {@linkplain io.github.rlsm.log.LogGeneration generation of the log}. Its <b>Membuffer</b> is a
 * concurrent hash table from keys to places in the generation's segments: two arrays of longs, no
 * object per entry; a write to a key that is there already is one compare-and-set in place. Its
 * <b>Memtable</b> keeps the same entries in key order. <i>Draining</i> moves what is new from the
 * first to the second, in sorted batches: in the background while writing goes on, and before a
 * scan. A drained entry keeps its place in the hash table, so that a lookup stays one probe and a
 * later write to the key is still in place; that is where this differs from FloDB section 4.2, and
 * docs/decisions say why.
 *
 * <p>Which Memtable: {@link io.github.rlsm.memory.MemtableKind}. All of them hold entry numbers,
 * and find the newest version through the Membuffer.
 *
 * <p>Old versions: a write in place drops what it replaces, unless a snapshot or scan is open that
 * still needs it; then the old version is chained. Writers read the set of open snapshots after
 * they have drawn their seqno; snapshots enter the set before they read theirs. So a write that no
 * snapshot in the set needs to look behind is one that every later snapshot sees itself: nothing is
 * lost, and scans neither restart nor block anybody (FloDB section 4.4 restarts them).
 *
 * <p>May import: {@code log}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.memory;

import org.jspecify.annotations.NullMarked;
