// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
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
 * <p>One pass fills a group of new segments with at most {@link #GROUP_BYTES}. Rejected: a pass for
 * each new segment, since small segments then took many passes. If memory was short, each pass read
 * the old segments from the device again. Also rejected: filling all new segments in one pass,
 * which left 0.4 GB of dirty pages.
 *
 * <p>Threads: one thread at a time. Copiers of other groups may work on the same list.
 */
final class ValueCopier {

  /** The maximum length of a group of new segments, unless a single one is longer. */
  static final int GROUP_BYTES = 32 << 20;

  /** Bytes of an old segment that are requested at once, while the previous window is copied. */
  private static final int WINDOW_BYTES = 4 << 20;

  private static final int PAGE_BYTES = 4 << 10;

  private final MoveList moves;
  private final int[] from;
  private final int passes;
  private final List<RelocatedSegment> targets;
  private final ValueLog log;
  private final Runnable cancelCheck;
  private final ValueReader reader = new ValueReader();

  /**
   * Creates a copier.
   *
   * @param from numbers of the old segments, in the index order of {@code moves}
   * @param passes the estimated number of passes over the old segments, by all copiers of the move
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
   * Copies the values of a group of new segments.
   *
   * @param begin rank of their first value in the list
   * @param end rank after their last value
   * @throws UnreadableValueException if a value cannot be read
   */
  void copy(int begin, int end) {
    moves.sort(begin, end);
    int copied = begin;
    int askedFor = ask(begin, end);
    while (copied < end) {
      int next = askedFor;
      askedFor = ask(next, end);
      cancelCheck.run();
      for (; copied < next; copied++) {
        copy(copied);
      }
    }
  }

  /** Requests the next window of an old segment. Returns the rank of the first value after it. */
  private int ask(int begin, int endOfGroup) {
    if (begin == endOfGroup) {
      return begin;
    }
    int segment = moves.segment(begin);
    long start = moves.oldOffset(begin);
    long pages = 0;
    long behind = 0;
    int end = begin;
    while (end < endOfGroup
        && moves.segment(end) == segment
        && moves.oldOffset(end) < start + WINDOW_BYTES) {
      long first = Math.max(behind, moves.oldOffset(end) / PAGE_BYTES);
      behind = (moves.oldOffset(end) + recordBytes(end) - 1) / PAGE_BYTES + 1;
      pages += behind - first;
      end++;
    }
    long length = moves.oldOffset(end - 1) + recordBytes(end - 1) - start;
    // Values for the other passes lie between these values, about as many for each.
    if (pages * PAGE_BYTES * passes >= Plan.Clean.Move.WHOLE_READ * length) {
      ask(begin, start, start + length);
    } else {
      for (int i = begin; i < end; i++) {
        ask(i, moves.oldOffset(i), moves.oldOffset(i) + recordBytes(i));
      }
    }
    return end;
  }

  private void ask(int value, long start, long end) {
    try {
      log.willNeed(from[moves.segment(value)], start, end);
    } catch (CorruptionException | InternalError e) {
      throw unreadable(value, e);
    }
  }

  /** Wraps the error of a value that is damaged, or that the device cannot read. */
  private UnreadableValueException unreadable(int value, Throwable failure) {
    if (MappedFaults.cause(failure) instanceof KvException cause) {
      return new UnreadableValueException(from[moves.segment(value)], cause);
    }
    throw (Error) failure;
  }

  private ValuePointer old(int value) {
    return ValuePointer.of(
        from[moves.segment(value)],
        moves.oldOffset(value),
        moves.isInBatch(value),
        moves.valueLength(value));
  }

  private long recordBytes(int value) {
    return ValueLog.recordBytes(moves.keyLength(value), old(value));
  }

  private void copy(int value) {
    int keyOffset = moves.keyOffset(value);
    int keyLength = moves.keyLength(value);
    byte[] found;
    try {
      try {
        found = reader.readShared(log, old(value), moves.keys(), keyOffset, keyLength);
      } finally {
        MappedFaults.check();
      }
    } catch (CorruptionException | InternalError e) {
      throw unreadable(value, e);
    }
    RelocatedSegment target = targets.get(moves.target(value));
    target.encode(moves.keys(), keyOffset, keyLength, found, moves.valueLength(value));
    target.store(moves.offset(value), moves.seqno(value));
  }
}
