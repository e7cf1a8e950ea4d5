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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries to tables, and moves their values out of segments that are to be reclaimed. In the
 * new segments values are in key order.
 *
 * <p>While entries are written, values only get new places, for which their lengths suffice. New
 * segments with enough listed values are a {@link Group}, and a group is filled in slices. Idle
 * threads fill one group while the thread of the job lists the next one, and help to fill the
 * second while the first is forced. Rejected: a list of all values of the move. It made the heap of
 * a store in 512 MiB of memory grow by 40 MB, and the page cache shrink by as much. Also rejected:
 * listing, copying and forcing one after the other. Both processors were idle for half of the time.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Keeps invariant I-8 of ARCHITECTURE.md.
 */
final class ValueRelocation implements AutoCloseable {

  /**
   * The maximum length of a group, unless a single segment is longer. One pass over the old
   * segments fills a group. Rejected: a pass for each new segment, since small segments then took
   * many passes. If memory was short, each pass read the old segments from the device again. Also
   * rejected: filling all new segments in one pass, which left 0.4 GB of dirty pages.
   */
  private static final int GROUP_BYTES = 32 << 20;

  /** Groups that are being filled: one is copied while the other one is forced. */
  private static final int FILLING_MAX = 2;

  /** Slices of a group for each thread, so that threads finish a group at about the same time. */
  private static final int SLICES_PER_THREAD = 2;

  private final TableFactory.Output output;
  private final int[] from;
  private final int passes;
  private final CompactionJob.ValuePlaces places;
  private final NewerRuns level0;
  private final DeadValues dead;
  private final SharedTasks tasks;
  private final List<RelocatedSegment> segments = new ArrayList<>();

  /** The group whose values are being listed. */
  private Group listed;

  /** The number of groups whose values are being copied or forced. */
  private final AtomicInteger filling = new AtomicInteger();

  private boolean wereInMemory;
  private long movedBytes;
  private boolean kept;
  private boolean closed;

  /**
   * Creates a mover.
   *
   * @param move the values to move
   * @param level0 the runs of level 0, which are newer than all added entries
   * @param dead counts the places in the log that no pointer refers to any more
   */
  ValueRelocation(
      TableFactory.Output output,
      Plan.Clean.Move move,
      CompactionJob.ValuePlaces places,
      NewerRuns level0,
      DeadValues dead) {
    this.output = output;
    this.level0 = level0;
    this.from = move.segments().stream().mapToInt(Integer::intValue).sorted().toArray();
    this.passes = (int) (move.bytes() / GROUP_BYTES + 1);
    this.places = places;
    this.dead = dead;
    this.tasks = new SharedTasks(places.helpers());
    this.listed = new Group(places.takeList());
  }

  /** Adds the entry that a cursor is on. */
  void add(CursorEntry entry) {
    if (!addMoved(entry)) {
      output.add(entry);
    }
  }

  /**
   * Adds the entry that a cursor is on if its value is in these segments. Returns whether it is. If
   * level 0 shadows the entry, its value is not moved, and the entry is left out.
   */
  boolean addMoved(CursorEntry entry) {
    if (entry.kind() != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = ValuePointer.read(entry.buffer(), entry.valueOffset());
    int segment = Arrays.binarySearch(from, pointer.segment());
    if (segment < 0) {
      return false;
    }
    dead.add(entry.keyLength(), pointer);
    if (!level0.hold(entry)) {
      addMoved(entry, pointer, segment);
    }
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
    listed.moves.add(entry, pointer, segment, listed.targets.size() - 1, moved.offset());
    output.addPointer(entry, moved);
    movedBytes += ValueLog.recordBytes(keyLength, pointer);
  }

  private RelocatedSegment target(int keyLength, ValuePointer pointer) {
    RelocatedSegment last = listed.last();
    if (last == null || listed.moves.isFull() || last.isFull(keyLength, pointer.valueLength())) {
      if (listed.isFull()) {
        fill();
      }
      last = places.begin();
      segments.add(last);
      listed.targets.add(last);
    }
    return last;
  }

  /**
   * Copies the values that are still listed, and makes all values durable.
   *
   * @throws UnreadableValueException if a value cannot be read; then no edit may be installed
   */
  void finish() {
    if (!listed.targets.isEmpty()) {
      fill();
    }
    tasks.runUntil(() -> false);
  }

  /** Begins to fill the listed group, as soon as few enough others are being filled. */
  private void fill() {
    Group group = listed;
    if (segments.size() == group.targets.size()) {
      wereInMemory = wereInMemory();
    }
    tasks.runUntil(() -> filling.get() < FILLING_MAX);
    listed = new Group(places.takeList());
    filling.incrementAndGet();
    group.fill();
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
   * New segments that are filled together, and the list of their values.
   *
   * <p>Threads: one thread lists the values and calls {@link #fill}.
   */
  private final class Group {

    final MoveList moves;
    final List<RelocatedSegment> targets = new ArrayList<>();

    Group(MoveList moves) {
      this.moves = moves;
    }

    @Nullable
    RelocatedSegment last() {
      return targets.isEmpty() ? null : targets.get(targets.size() - 1);
    }

    /** Whether no other segment may be added, which would be about as long as the last one. */
    boolean isFull() {
      long bytes = targets.stream().mapToLong(RelocatedSegment::recordBytes).sum();
      RelocatedSegment last = last();
      return moves.isFull() || (last != null && bytes + last.recordBytes() > GROUP_BYTES);
    }

    /** Adds the tasks that copy the values. The last of them makes the segments durable. */
    void fill() {
      targets.forEach(segment -> segment.create(wereInMemory));
      long[] sorted = moves.sorted();
      int slices = Math.min(sorted.length, SLICES_PER_THREAD * places.threads());
      AtomicInteger slicesLeft = new AtomicInteger(slices);
      for (int i = 0; i < slices; i++) {
        int begin = (int) ((long) i * sorted.length / slices);
        int end = (int) ((i + 1L) * sorted.length / slices);
        tasks.add(() -> {
          new ValueCopier(moves, from, passes, targets, places.log(), output::checkCancelled)
              .copy(sorted, begin, end);
          if (slicesLeft.decrementAndGet() == 0) {
            finish();
          }
        });
      }
    }

    /**
     * Makes the segments durable. If many dirty pages pile up, the kernel throttles all threads
     * that write to memory, including the store's writers.
     *
     * <p>If the values were not in memory before, their new pages are dropped from memory after the
     * force. Otherwise they would evict pages that are read, and writers would have to free memory
     * for their log themselves.
     */
    private void finish() {
      targets.forEach(RelocatedSegment::finish);
      places.giveBack(moves);
      filling.decrementAndGet();
    }
  }

  /** Keeps the segments when this object is closed. Returns their accounts. */
  List<SegmentAccount> keep() {
    kept = true;
    return segments.stream().map(ValueRelocation::account).toList();
  }

  /** The segments that were dropped from memory, by number. */
  List<Integer> droppedSegments() {
    return wereInMemory
        ? List.of()
        : segments.stream().map(RelocatedSegment::number).toList();
  }

  /** The account of a new segment. */
  static SegmentAccount account(RelocatedSegment segment) {
    return new SegmentAccount(segment.number(), segment.recordBytes(), 0, segment.paddingBytes());
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
    tasks.close();
    places.giveBack(listed.moves);
    if (!kept) {
      segments.forEach(RelocatedSegment::delete);
    }
  }
}
