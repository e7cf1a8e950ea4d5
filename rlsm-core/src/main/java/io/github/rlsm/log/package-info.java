// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The log: the generations of write-ahead segments and value segments, and the sequence numbers
 * that order both.
 *
 * <p><b>Generations.</b> The log is a chain of {@link io.github.rlsm.log.LogGeneration
 * generations}. Each owns one write-ahead segment and one value segment, both preallocated and
 * mapped. A generation lives exactly as long as the memory component built from it. The component's
 * entries point into the segments, so the log is the memtable's arena and no byte is copied twice.
 *
 * <p>When the component is flushed, the write-ahead segment is recycled. The value segment, unless
 * it is empty, remains as a part of the value log (WiscKey section 3.4.2: data in the value log is
 * not logged again). Values that are relocated to free a segment go to a
 * {@link io.github.rlsm.log.RelocatedSegment}, which belongs to no generation and is found only
 * through tables.
 *
 * <p><b>Pages.</b> While no writer forces the log, segments are in large pages, so that few stores
 * are page faults. A force writes each modified page as a whole. So once writers force, segments
 * are in single pages (docs/decisions/0069-log-in-large-pages.md).
 *
 * <p><b>Sequence numbers are positions.</b> A record's seqno is its position, in units of 8 bytes,
 * in the one logical log that both streams form together. One compare-and-set on a packed pair of
 * offsets reserves space and draws the seqno. Density can be checked: after a record of <i>n</i>
 * units with seqno <i>s</i>, the next record has seqno <i>s + n</i>, in either stream. Recovery
 * merges both streams by seqno and stops at the first gap, so that the result is a prefix of the
 * history.
 *
 * <p><b>Order of a write:</b> reserve, fill the record, insert into memory,
 * {@link io.github.rlsm.log.PublishedSeqno publish}, and wait until everything before is published
 * too. A {@code SYNC} write also waits until everything before is
 * {@link io.github.rlsm.log.DurableSeqno durable}. Then acknowledge.
 *
 * <p>The package {@code valuelog} reads values from the value segments. The package
 * {@code logdevice} makes records durable on a log device in place of forces of the segments.
 *
 * <p>Invariants: (L-1) A write is acknowledged only when every earlier seqno is published. (L-2) A
 * {@code SYNC} write is acknowledged only when every earlier seqno is durable in both streams.
 * (L-3) A generation's base seqno is the end of the previous generation; recovery drops records at
 * or past the next generation's base seqno.
 *
 * <p>Bytes: FORMAT.md, "Log". May import: {@code base}, {@code io}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.log;

import org.jspecify.annotations.NullMarked;
