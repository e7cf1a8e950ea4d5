// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The log on a raw device (MyWAL). {@link io.github.rlsm.logdevice.DirectLog} makes log records
 * durable by copying them to the ring on a log device, in place of forces of the log's segments.
 * After a crash, it restores the bytes that the segments lost.
 *
 * <p>{@code RingSuperblock}, {@code RingBlock} and {@code DeviceNote} define the bytes;
 * {@code LogRing} reads and writes the device, and {@code RingReplay} restores from it. May import:
 * {@code log}, {@code io}, {@code kv}.
 *
 * <p>Invariant: a block of the ring is overwritten only when its bytes are durable in the segments
 * or its generation is in tables. Bytes: FORMAT.md, "Log device".
 */
@NullMarked
package io.github.rlsm.logdevice;

import org.jspecify.annotations.NullMarked;
