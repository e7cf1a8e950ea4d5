// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.SegmentAccount;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Writes entries to tables, and moves those of their values that stand in segments which are to be
 * freed. In the new segments values stand in the order of their keys.
 *
 * <p>While entries are written, values are only given their new places, which takes their lengths
 * alone. Then the new segments are filled, side by side if other threads have time.
 *
 * <p>Threads: one thread at a time.
 */
final class MovedValues implements AutoCloseable {

  private final TableFactory.Output output;
  private final int[] from;
  private final ValuePlaces places;
  private final DeadValues dead;
  private final MoveList moves = new MoveList();
  private final List<MovedSegment> segments = new ArrayList<>();
  private final ByteBuffer encoded =
      ByteBuffer.allocate(ValuePointer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long movedBytes;
  private boolean isComplete;
  private boolean kept;

  /**
   * Moves out of some segments.
   *
   * @param dead told of the places in the log that nothing points to any more
   */
  MovedValues(TableFactory.Output output, Set<Integer> from, ValuePlaces places, DeadValues dead) {
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

  /** Adds the entry that a cursor is on, if its value is to be moved. Returns whether it is. */
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

  /** The entry that a cursor is on stays and is dead: what it has in these segments may go. */
  void letGo(EntryCursor entry) {
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
    moved.write(encoded, 0);
    output
        .writer()
        .add(
            entry.keyBuffer(),
            entry.keyOffset(),
            keyLength,
            EntryKind.POINTER,
            entry.seqno(),
            encoded,
            0,
            ValuePointer.BYTES);
    dead.add(keyLength, pointer);
    movedBytes += ValueLog.recordBytes(keyLength, pointer);
  }

  private MovedSegment target(int keyLength, ValuePointer pointer) {
    MovedSegment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if (last == null || last.isFull(keyLength, pointer.valueLength())) {
      last = places.begin();
      segments.add(last);
    }
    return last;
  }

  /**
   * Copies the values, and makes them durable.
   *
   * @throws UnreadableValueException if one cannot be read; then nothing may be installed
   */
  void move() {
    if (!segments.isEmpty()) {
      boolean stays = wereInMemory();
      SharedTasks.run(segments.size(), target -> fill(target, stays), places.helpers());
    }
  }

  /** Whether most of the old segments were in memory before anything was moved out of them. */
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
   * Fills a new segment and makes it durable, before its thread begins another: pages that wait to
   * be written are what the kernel holds up everybody for who writes to memory, and those are the
   * store's writers.
   *
   * <p>Values that were not in memory leave it again with that: else they would drive out what is
   * read, and writers would have to make room for their log themselves.
   */
  private void fill(int target, boolean staysInMemory) {
    MovedSegment segment = segments.get(target);
    segment.create();
    new ValueCopier(moves, from, segments.size(), segment, places.log(), output::checkCancelled)
        .copy(target == 0 ? 0 : moves.endOfTarget(target - 1), moves.endOfTarget(target));
    segment.finish(staysInMemory);
  }

  /** From now on the segments outlive this object. Returns their accounts. */
  List<SegmentAccount> keep() {
    kept = true;
    return segments.stream()
        .map(segment -> new SegmentAccount(segment.number(), segment.recordBytes(), 0))
        .toList();
  }

  /** Bytes of records that were moved. */
  long movedBytes() {
    return movedBytes;
  }

  /** Whether every value that was to be moved is. */
  boolean isComplete() {
    return isComplete;
  }

  /** Deletes the new segments unless they are kept. */
  @Override
  public void close() {
    if (!kept) {
      segments.forEach(MovedSegment::delete);
    }
  }
}
