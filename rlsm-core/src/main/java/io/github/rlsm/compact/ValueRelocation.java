// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.SegmentAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes entries to tables, and moves their values out of segments that are to be reclaimed. In the
 * new segments values are in key order.
 *
 * <p>While entries are written, values only get new places, for which their lengths suffice. When
 * enough new segments are listed for several threads, they are filled, in parallel if other threads
 * are idle. Rejected: a list of all values of the move. It made the heap of a store in 512 MiB of
 * memory grow by 40 MB, and the page cache shrink by as much.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Keeps invariant I-8 of ARCHITECTURE.md.
 */
final class ValueRelocation implements AutoCloseable {

  /** The maximum number of threads for which values are listed. */
  private static final int THREADS_MAX = 4;

  private final TableFactory.Output output;
  private final int[] from;
  private final int passes;
  private final CompactionJob.ValuePlaces places;
  private final DeadValues dead;
  private final MoveList moves;

  /** Bytes of new segments that are listed before they are filled: a group for each thread. */
  private final long listedBytesMax;

  private final List<RelocatedSegment> segments = new ArrayList<>();
  private boolean wereInMemory;

  /** The number of segments that are filled. The values of the others are listed. */
  private int filled;

  private long movedBytes;
  private long filledBytes;
  private boolean kept;
  private boolean closed;

  /**
   * Creates a mover.
   *
   * @param move the values to move
   * @param dead counts the places in the log that no pointer refers to any more
   */
  ValueRelocation(
      TableFactory.Output output,
      Plan.Clean.Move move,
      CompactionJob.ValuePlaces places,
      DeadValues dead) {
    this.output = output;
    this.from = move.segments().stream().mapToInt(Integer::intValue).sorted().toArray();
    this.passes = (int) (move.bytes() / ValueCopier.GROUP_BYTES + 1);
    this.places = places;
    this.dead = dead;
    this.moves = places.takeList();
    this.listedBytesMax = (long) Math.min(THREADS_MAX, places.threads()) * ValueCopier.GROUP_BYTES;
  }

  /** Adds the entry that a cursor is on. */
  void add(CursorEntry entry) {
    if (!addMoved(entry)) {
      output.add(entry);
    }
  }

  /** Adds the entry that a cursor is on if its value is to be moved. Returns whether it is. */
  boolean addMoved(CursorEntry entry) {
    if (entry.kind() != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = ValuePointer.read(entry.buffer(), entry.valueOffset());
    int segment = Arrays.binarySearch(from, pointer.segment());
    if (segment < 0) {
      return false;
    }
    addMoved(entry, pointer, segment);
    return true;
  }

  /**
   * Counts the value of a dead entry that stays in its run: its place in these segments is dead.
   */
  void drop(CursorEntry entry) {
    if (entry.kind() == EntryKind.POINTER) {
      ValuePointer pointer = ValuePointer.read(entry.buffer(), entry.valueOffset());
      if (Arrays.binarySearch(from, pointer.segment()) >= 0) {
        dead.add(entry.keyLength(), pointer);
      }
    }
  }

  private void addMoved(CursorEntry entry, ValuePointer pointer, int segment) {
    int keyLength = entry.keyLength();
    ValuePointer moved = target(keyLength, pointer).reserve(keyLength, pointer.valueLength());
    moves.add(entry, pointer, segment, segments.size() - 1 - filled, moved.offset());
    output.addPointer(entry, moved);
    dead.add(keyLength, pointer);
    movedBytes += ValueLog.recordBytes(keyLength, pointer);
  }

  private RelocatedSegment target(int keyLength, ValuePointer pointer) {
    RelocatedSegment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if (last == null || moves.isFull() || last.isFull(keyLength, pointer.valueLength())) {
      if (moves.isFull() || movedBytes - filledBytes >= listedBytesMax) {
        fill();
      }
      last = places.begin();
      segments.add(last);
    }
    return last;
  }

  /**
   * Copies the values that are still listed, and makes all values durable.
   *
   * @throws UnreadableValueException if a value cannot be read; then no edit may be installed
   */
  void finish() {
    if (filled < segments.size()) {
      fill();
    }
  }

  /** Fills the listed segments, group by group. */
  private void fill() {
    if (filled == 0) {
      wereInMemory = wereInMemory();
    }
    List<RelocatedSegment> listed = List.copyOf(segments.subList(filled, segments.size()));
    int[] ends = groupEnds(listed);
    SharedTasks.run(
        ends.length,
        group -> fill(listed, group == 0 ? 0 : ends[group - 1], ends[group]),
        places.helpers());
    filled = segments.size();
    filledBytes = movedBytes;
    moves.clear();
  }

  /** Divides new segments into groups. Returns the index after the last segment of each. */
  private static int[] groupEnds(List<RelocatedSegment> listed) {
    List<Integer> ends = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < listed.size(); i++) {
      long next = listed.get(i).recordBytes();
      if (bytes > 0 && bytes + next > ValueCopier.GROUP_BYTES) {
        ends.add(i);
        bytes = 0;
      }
      bytes += next;
    }
    ends.add(listed.size());
    return ends.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether most of the old segments were in memory before values were moved out of them. */
  private boolean wereInMemory() {
    int found = 0;
    for (int segment : from) {
      try {
        found += places.log().wasInMemory(segment) ? 1 : 0;
      } catch (CorruptionException e) {
        throw new UnreadableValueException(segment, e);
      }
    }
    return 2 * found >= from.length;
  }

  /**
   * Fills a group of new segments and makes them durable before the thread begins another group. If
   * many dirty pages pile up, the kernel throttles all threads that write to memory, including the
   * store's writers.
   *
   * <p>If the values were not in memory before, their new pages are dropped from memory after the
   * force. Otherwise they would evict pages that are read, and writers would have to free memory
   * for their log themselves.
   */
  private void fill(List<RelocatedSegment> listed, int first, int end) {
    List<RelocatedSegment> group = listed.subList(first, end);
    group.forEach(RelocatedSegment::create);
    new ValueCopier(moves, from, passes, listed, places.log(), output::checkCancelled)
        .copy(first == 0 ? 0 : moves.endOfTarget(first - 1), moves.endOfTarget(end - 1));
    group.forEach(segment -> segment.finish(wereInMemory));
  }

  /** Keeps the segments when this object is closed. Returns their accounts. */
  List<SegmentAccount> keep() {
    kept = true;
    if (!wereInMemory) {
      segments.forEach(
          segment -> places.log().reload().add(segment.number(), segment.recordBytes()));
    }
    return segments.stream()
        .map(segment ->
            new SegmentAccount(segment.number(), segment.recordBytes(), 0, segment.paddingBytes()))
        .toList();
  }

  /** Bytes of the records that were moved. */
  long movedBytes() {
    return movedBytes;
  }

  /** Deletes the new segments unless they are kept. Closing twice does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    places.giveBack(moves);
    if (!kept) {
      segments.forEach(RelocatedSegment::delete);
    }
  }
}
