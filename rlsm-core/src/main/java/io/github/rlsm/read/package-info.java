// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Reads: a point lookup through all components of a {@link io.github.rlsm.read.View}, merges of
 * sorted sources into one, and values out of the value log.
 *
 * <p>A view is what one read sees: the memory components, newest first, and a pinned version of the
 * files. Whoever reads pins a view, which takes no lock, and nothing the view names is recycled,
 * unmapped or deleted until it is let go. A snapshot is a pinned view and a seqno; so files on disk
 * need never hold an old version of a key for a snapshot's sake.
 *
 * <p>Order of a lookup, first answer wins: memory components newest first, level 0 newest first,
 * then the one partition of the key, its runs newest first.
 *
 * <p>May import: {@code version}, {@code memory}, {@code log}, {@code level}, {@code io},
 * {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.read;

import org.jspecify.annotations.NullMarked;
