// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Tables: immutable files of entries, found by key through their hash or read in key order.
 *
 * <p>Doors: {@link io.github.rlsm.level.TableWriter} writes a table as
 * {@link io.github.rlsm.level.TableSettings} say; {@link io.github.rlsm.level.Table} reads it,
 * sharing {@link io.github.rlsm.level.TableAccess} (cache, counters) with others;
 * {@link io.github.rlsm.level.TableProperties} tell what is in it. May import: {@code io},
 * {@code base}, {@code kv}.
 *
 * <p>Reading the source: {@code PageLayout} is the heart, the bytes of a page and the search in it;
 * {@code FencesLayout}, {@code FilterLayout}, {@code PropertiesLayout} and {@code TableFooter} are
 * the other structures. {@code PageBuilder}, {@code FencesBuilder} and {@code FilterBuilder} make
 * them; {@code Fences}, {@code BloomFilter} and {@code Pages} read them.
 *
 * <p>Threads: a writer and a cursor belong to one thread at a time, an open table to all.
 *
 * <p>Kept here: every byte of a table is covered by a checksum; nothing of a page is believed
 * before {@code PageVerifier} has seen it; a lookup and a step of a cursor allocate nothing where
 * pages are not compressed; no other package knows an offset in a table.
 */
@NullMarked
package io.github.rlsm.level;

import org.jspecify.annotations.NullMarked;
