// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The value log (WiscKey): the value segments that tables point into.
 *
 * <p>{@link io.github.rlsm.valuelog.ValueLog} holds the segments by number, and opens each on its
 * first read. {@link io.github.rlsm.valuelog.ValueReader} reads a value and verifies that its
 * record is the expected one. {@link io.github.rlsm.valuelog.SegmentHoles} punches holes where
 * whole blocks are dead. The package {@code log} writes the segments. May import: {@code log},
 * {@code io}, {@code base}, {@code kv}.
 *
 * <p>Invariant: a segment is closed and deleted only when no readable version and no memory
 * component needs it. Bytes: FORMAT.md, "Log".
 */
@NullMarked
package io.github.rlsm.valuelog;

import org.jspecify.annotations.NullMarked;
