// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.log.ValueReader;
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
 * alone. Then one new segment after the other is filled, with values in the order of their old
 * places: so old segments are read from their beginning to their end, whatever the order of the
 * keys. The scattered half of the copy is the write, into memory that the kernel writes to the
 * device in order. A new segment is forced before the next is begun: pages that wait to be written
 * are what the kernel holds up everybody for who writes to memory, and those are the store's
 * writers. (Filling all of them in one pass over the old ones left 0.4 GB of such pages.)
 *
 * <p>Threads: one thread at a time.
 */
final class MovedValues implements AutoCloseable {

  /** So much of an old segment is asked for at once, while what was asked for before is copied. */
  private static final int WINDOW_BYTES = 4 << 20;

  /** A window of which no such share is wanted is asked for value by value. */
  private static final double WHOLE_WINDOW = 0.25;

  private final TableFactory.Output output;
  private final int[] from;
  private final ValuePlaces places;
  private final DeadValues dead;
  private final MoveList moves = new MoveList();
  private final ValueReader reader = new ValueReader();
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
    int filled = 0;
    for (int target = 0; target < segments.size(); target++) {
      MovedSegment segment = segments.get(target);
      int end = moves.endOfTarget(target);
      segment.create();
      fill(filled, end);
      segment.finish();
      filled = end;
    }
  }

  private void fill(int begin, int end) {
    moves.sort(begin, end);
    int copied = begin;
    int askedFor = ask(begin, end);
    while (copied < end) {
      int next = askedFor;
      askedFor = ask(next, end);
      output.checkCancelled();
      for (; copied < next; copied++) {
        copy(copied);
      }
    }
  }

  /** Has the next window of an old segment read. Returns the first value behind it. */
  private int ask(int begin, int endOfTarget) {
    if (begin == endOfTarget) {
      return begin;
    }
    int segment = moves.segment(begin);
    long start = moves.oldOffset(begin);
    long wanted = 0;
    int end = begin;
    while (end < endOfTarget
        && moves.segment(end) == segment
        && moves.oldOffset(end) < start + WINDOW_BYTES) {
      wanted += recordBytes(end++);
    }
    long length = moves.oldOffset(end - 1) + recordBytes(end - 1) - start;
    // Values for the other new segments stand between these, about as many for each.
    if (wanted * segments.size() >= WHOLE_WINDOW * length) {
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
      places.log().willNeed(from[moves.segment(value)], start, end);
    } catch (CorruptionException e) {
      throw new UnreadableValueException(from[moves.segment(value)], e);
    }
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
      found = reader.readShared(places.log(), old(value), moves.keys(), keyOffset, keyLength);
    } catch (CorruptionException e) {
      throw new UnreadableValueException(from[moves.segment(value)], e);
    }
    segments
        .get(moves.target(value))
        .put(
            moves.offset(value),
            moves.seqno(value),
            moves.keys(),
            keyOffset,
            keyLength,
            found,
            moves.valueLength(value));
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
