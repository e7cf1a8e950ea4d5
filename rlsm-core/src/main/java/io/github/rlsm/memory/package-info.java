// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The data that is written but not yet flushed: FloDB's two memory tiers, over the log.
 *
 * <p>A {@link io.github.rlsm.memory.MemoryComponent} belongs to one
 * {@linkplain io.github.rlsm.log.LogGeneration generation of the log}. Its <b>Membuffer</b> is a
 * concurrent hash table from keys to places in the generation's segments. It consists of two arrays
 * of longs, with no object per entry. A write to an existing key is one compare-and-set in place.
 * Its <b>Memtable</b> holds the same entries in key order.
 *
 * <p><i>Draining</i> inserts new entries of the Membuffer into the Memtable, in sorted batches. It
 * runs in the background during writes, and before a scan. A drained entry stays in the hash table,
 * so that a lookup remains one probe and a later write to the key is still in place. This differs
 * from FloDB section 4.2; decision 5 in docs/decisions explains why.
 *
 * <p>{@link io.github.rlsm.memory.MemoryComponent.MemtableStructure} lists the kinds of Memtable.
 * All of them hold entry numbers, and find the newest version through the Membuffer.
 *
 * <p>Old versions: a write in place drops the version that it replaces, unless an open snapshot or
 * scan needs that version; then the write adds it to a chain. A writer reads the set of open
 * snapshots after it has drawn its seqno. A snapshot enters the set before it reads its seqno. So
 * if no snapshot in the set needs the old version, every later snapshot sees the new one. No
 * version is lost, and scans neither restart nor block other threads (FloDB section 4.4 restarts
 * them).
 *
 * <p>When a store is opened, {@link io.github.rlsm.memory.MemoryRebuilder} rebuilds the components
 * from the log's entries.
 *
 * <p>May import: {@code log}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.memory;

import org.jspecify.annotations.NullMarked;
