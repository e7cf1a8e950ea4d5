// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import java.util.List;

/**
 * Copies values to a group of new segments, in the order of their old places. So old segments are
 * read from beginning to end, in any order of the keys. The random half of the copy is the write to
 * memory, which the kernel writes to the device in order.
 *
 * <p>Threads: one thread at a time. Several copiers may copy values of the same group.
 */
final class ValueCopier {

  /**
   * Bytes of an old segment that are requested at once, while the previous window is copied. The
   * device serves reads of clients after these. With 4 MiB, one short scan in a thousand took 11 to
   * 14 ms during moves; with 1 MiB it takes 8 to 9 ms, and moves are as fast.
   */
  private static final int WINDOW_BYTES = 1 << 20;

  private static final int PAGE_BYTES = 4 << 10;

  private final MoveList moves;
  private final int[] from;
  private final int passes;
  private final List<RelocatedSegment> targets;
  private final ValueLog log;
  private final Runnable cancelCheck;
  private final ValueReader reader = new ValueReader();
  private final RelocatedSegment.Writer writer = new RelocatedSegment.Writer();

  /**
   * Creates a copier.
   *
   * @param from numbers of the old segments, in the index order of {@code moves}
   * @param passes the estimated number of groups, each of which is a pass over the old segments
   * @param targets the new segments, in the index order of {@code moves}
   * @param cancelCheck throws if the job is cancelled
   */
  ValueCopier(
      MoveList moves,
      int[] from,
      int passes,
      List<RelocatedSegment> targets,
      ValueLog log,
      Runnable cancelCheck) {
    this.moves = moves;
    this.from = from;
    this.passes = passes;
    this.targets = targets;
    this.log = log;
    this.cancelCheck = cancelCheck;
  }

  /**
   * Copies a slice of the values.
   *
   * @param places the sorted places of the values
   * @param begin index of the first place of the slice
   * @param end index after the last one
   * @throws UnreadableValueException if a value cannot be read
   */
  void copy(long[] places, int begin, int end) {
    int copied = begin;
    int askedFor = ask(places, begin, end);
    while (copied < end) {
      int next = askedFor;
      askedFor = ask(places, next, end);
      cancelCheck.run();
      for (; copied < next; copied++) {
        copy(places[copied]);
      }
    }
  }

  /** Requests the next window of an old segment. Returns the index of the first value after it. */
  private int ask(long[] places, int begin, int limit) {
    if (begin == limit) {
      return begin;
    }
    int segment = MoveList.segment(places[begin]);
    long start = MoveList.oldOffset(places[begin]);
    long pages = 0;
    long behind = 0;
    int end = begin;
    while (end < limit
        && MoveList.segment(places[end]) == segment
        && MoveList.oldOffset(places[end]) < start + WINDOW_BYTES) {
      long offset = MoveList.oldOffset(places[end]);
      long first = Math.max(behind, offset / PAGE_BYTES);
      behind = (offset + recordBytes(places[end]) - 1) / PAGE_BYTES + 1;
      pages += behind - first;
      end++;
    }
    long last = places[end - 1];
    long length = MoveList.oldOffset(last) + recordBytes(last) - start;
    // Values for the other passes lie between these values, about as many for each.
    if (pages * PAGE_BYTES * passes >= Plan.Clean.Move.WHOLE_READ * length) {
      ask(segment, start, start + length);
    } else {
      for (int i = begin; i < end; i++) {
        long offset = MoveList.oldOffset(places[i]);
        ask(segment, offset, offset + recordBytes(places[i]));
      }
    }
    return end;
  }

  private void ask(int segment, long start, long end) {
    try {
      log.willNeed(from[segment], start, end);
    } catch (CorruptionException | InternalError e) {
      throw UnreadableValueException.of(from[segment], e);
    }
  }

  private ValuePointer old(long place) {
    return ValuePointer.of(
        from[MoveList.segment(place)],
        MoveList.oldOffset(place),
        moves.isInBatch(place),
        moves.valueLength(place));
  }

  private long recordBytes(long place) {
    return ValueLog.recordBytes(moves.keyLength(place), old(place));
  }

  private void copy(long place) {
    byte[] keys = moves.keys(place);
    int keyOffset = moves.keyOffset(place);
    int keyLength = moves.keyLength(place);
    byte[] found;
    try {
      try {
        found = reader.readShared(log, old(place), keys, keyOffset, keyLength);
      } finally {
        MappedFaults.check();
      }
    } catch (CorruptionException | InternalError e) {
      throw UnreadableValueException.of(from[MoveList.segment(place)], e);
    }
    RelocatedSegment target = targets.get(moves.target(place));
    writer.encode(keys, keyOffset, keyLength, found, moves.valueLength(place));
    writer.store(target, moves.offset(place), moves.seqno(place));
  }
}
