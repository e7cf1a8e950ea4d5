// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The log: the write-ahead log, the value log, and the sequence numbers that order both.
 *
 * <p><b>Generations.</b> The log is a chain of {@link io.github.rlsm.log.LogGeneration
 * generations}. Each owns one write-ahead segment and one value segment, both preallocated and
 * mapped, and lives exactly as long as the memory component built from it: the component's entries
 * point into the segments, so the log is the memtable's arena and nothing is copied twice. When the
 * component is flushed, the write-ahead segment is recycled; the value segment, if anything was
 * written to it, stays as part of the value log (WiscKey section 3.4.2: what is in the value log is
 * not logged again). Values that are moved to free a segment go to a
 * {@link io.github.rlsm.log.MovedSegment}, which belongs to no generation and is found through
 * tables alone.
 *
 * <p><b>Sequence numbers are positions.</b> A record's seqno is its position, in units of 8 bytes,
 * in the one logical log that both streams form together. One compare-and-set on a packed pair of
 * offsets reserves space and draws the seqno. Density can be checked: the record after one of
 * <i>n</i> units at seqno <i>s</i> has seqno <i>s + n</i>, whichever stream it is in. Recovery
 * merges both streams by seqno and stops at the first gap, so what it finds is a prefix of the
 * history.
 *
 * <p><b>Order of a write:</b> reserve, fill the record, insert into memory,
 * {@link io.github.rlsm.log.PublishedSeqno publish}, wait until everything before is published too,
 * and for a {@code SYNC} write until it is {@link io.github.rlsm.log.DurableSeqno durable}; then
 * acknowledge.
 *
 * <p><b>On a device.</b> A {@link io.github.rlsm.log.DirectLog} makes records durable by copying
 * them to the ring on a log device, and gives the segments back after a crash what they lost.
 *
 * <p>Invariants: (L-1) a write is acknowledged only when every earlier seqno is published; (L-2) a
 * {@code SYNC} write only when every earlier seqno is durable in both streams; (L-3) a generation's
 * base is the end of the one before it; records at or past the next generation's base are void.
 *
 * <p>Bytes: FORMAT.md, "Log". May import: {@code base}, {@code io}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.log;

import org.jspecify.annotations.NullMarked;
