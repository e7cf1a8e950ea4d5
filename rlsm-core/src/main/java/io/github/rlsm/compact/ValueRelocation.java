// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.SegmentAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Writes entries to tables, and moves their values out of segments that are to be reclaimed. In the
 * new segments values are in key order.
 *
 * <p>While entries are written, values only get new places, for which their lengths suffice. Then
 * the new segments are filled, in parallel if other threads are idle.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Keeps invariant I-8 of ARCHITECTURE.md.
 */
final class ValueRelocation implements AutoCloseable {

  private final TableFactory.Output output;
  private final int[] from;
  private final CompactionJob.ValuePlaces places;
  private final DeadValues dead;
  private final MoveList moves = new MoveList();
  private final List<RelocatedSegment> segments = new ArrayList<>();
  private long movedBytes;
  private boolean isComplete;
  private boolean kept;

  /**
   * Creates a mover.
   *
   * @param from the segments to move values out of
   * @param dead counts the places in the log that no pointer refers to any more
   */
  ValueRelocation(
      TableFactory.Output output,
      Set<Integer> from,
      CompactionJob.ValuePlaces places,
      DeadValues dead) {
    this.output = output;
    this.from = from.stream()
        .mapToInt(Integer::intValue)
        .sorted()
        .limit(MoveList.SEGMENTS_MAX)
        .toArray();
    this.isComplete = this.from.length == from.size();
    this.places = places;
    this.dead = dead;
  }

  /** Adds the entry that a cursor is on. */
  void add(EntryCursor entry) {
    if (!addMoved(entry)) {
      output.add(entry);
    }
  }

  /** Adds the entry that a cursor is on if its value is to be moved. Returns whether it is. */
  boolean addMoved(EntryCursor entry) {
    if (entry.kind() != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = ValuePointer.read(entry.valueBuffer(), entry.valueOffset());
    int segment = Arrays.binarySearch(from, pointer.segment());
    if (segment < 0) {
      return false;
    }
    if (moves.isFull()) {
      isComplete = false;
      return false;
    }
    addMoved(entry, pointer, segment);
    return true;
  }

  /**
   * Counts the value of a dead entry that stays in its run: its place in these segments is dead.
   */
  void drop(EntryCursor entry) {
    if (entry.kind() == EntryKind.POINTER) {
      ValuePointer pointer = ValuePointer.read(entry.valueBuffer(), entry.valueOffset());
      if (Arrays.binarySearch(from, pointer.segment()) >= 0) {
        dead.add(entry.keyLength(), pointer);
      }
    }
  }

  private void addMoved(EntryCursor entry, ValuePointer pointer, int segment) {
    int keyLength = entry.keyLength();
    ValuePointer moved = target(keyLength, pointer).reserve(keyLength, pointer.valueLength());
    moves.add(entry, pointer, segment, segments.size() - 1, moved.offset());
    output.addPointer(entry, moved);
    dead.add(keyLength, pointer);
    movedBytes += ValueLog.recordBytes(keyLength, pointer);
  }

  private RelocatedSegment target(int keyLength, ValuePointer pointer) {
    RelocatedSegment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if (last == null || last.isFull(keyLength, pointer.valueLength())) {
      last = places.begin();
      segments.add(last);
    }
    return last;
  }

  /**
   * Copies the values and makes them durable.
   *
   * @throws UnreadableValueException if a value cannot be read; then no edit may be installed
   */
  void move() {
    if (!segments.isEmpty()) {
      boolean stays = wereInMemory();
      int[] ends = groupEnds();
      SharedTasks.run(
          ends.length,
          group -> fill(group == 0 ? 0 : ends[group - 1], ends[group], ends.length, stays),
          places.helpers());
    }
  }

  /** Divides the new segments into groups. Returns the index after the last segment of each. */
  private int[] groupEnds() {
    List<Integer> ends = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < segments.size(); i++) {
      long next = segments.get(i).recordBytes();
      if (bytes > 0 && bytes + next > ValueCopier.GROUP_BYTES) {
        ends.add(i);
        bytes = 0;
      }
      bytes += next;
    }
    ends.add(segments.size());
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
  private void fill(int first, int end, int groups, boolean staysInMemory) {
    List<RelocatedSegment> group = segments.subList(first, end);
    group.forEach(RelocatedSegment::create);
    new ValueCopier(moves, from, groups, segments, places.log(), output::checkCancelled)
        .copy(first == 0 ? 0 : moves.endOfTarget(first - 1), moves.endOfTarget(end - 1));
    group.forEach(segment -> segment.finish(staysInMemory));
  }

  /** Keeps the segments when this object is closed. Returns their accounts. */
  List<SegmentAccount> keep() {
    kept = true;
    return segments.stream()
        .map(segment -> new SegmentAccount(segment.number(), segment.recordBytes(), 0))
        .toList();
  }

  /** Bytes of the records that were moved. */
  long movedBytes() {
    return movedBytes;
  }

  /** Whether all values that were to be moved were moved. */
  boolean isComplete() {
    return isComplete;
  }

  /** Deletes the new segments unless they are kept. */
  @Override
  public void close() {
    if (!kept) {
      segments.forEach(RelocatedSegment::delete);
    }
  }
}
