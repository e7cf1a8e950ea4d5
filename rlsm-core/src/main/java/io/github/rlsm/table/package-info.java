// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Tables: immutable files of entries. A lookup finds an entry by the hash of its key; a scan reads
 * entries in key order.
 *
 * <p>Entry points: {@link io.github.rlsm.table.TableWriter} writes a table with given
 * {@link io.github.rlsm.table.TableWriter.Settings}. {@link io.github.rlsm.table.Table} reads it.
 * All tables share one {@link io.github.rlsm.table.Table.Access} (cache, counters).
 * {@link io.github.rlsm.table.TableProperties} describe the content of a table. May import:
 * {@code io}, {@code base}, {@code kv}.
 *
 * <p>Reading the source: start with {@code PageLayout}, which has the bytes of a page and the
 * search in it. {@code FencesLayout}, {@code FilterLayout}, {@code PropertiesLayout} and
 * {@code TableFooter} define the other structures. {@code PageBuilder} writes pages, and
 * {@code Pages} reads them. {@code Fences} and {@code BloomFilter} read their blocks, and their
 * builders write them.
 *
 * <p>Threads: one thread at a time uses a writer or a cursor. Any number of threads use an open
 * table.
 *
 * <p>Invariants kept here:
 *
 * <ul>
 *   <li>A checksum covers every byte of a table.
 *   <li>{@code Pages} checks a page before any other code trusts it.
 *   <li>A lookup and a step of a cursor allocate nothing if pages are not compressed.
 *   <li>No other package knows an offset in a table.
 * </ul>
 */
@NullMarked
package io.github.rlsm.table;

import org.jspecify.annotations.NullMarked;
