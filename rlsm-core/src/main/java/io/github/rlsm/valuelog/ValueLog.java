// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The value segments by number: the ones being written, and the sealed ones, which are opened on
 * first read.
 *
 * <p>A segment is closed and deleted when two conditions hold. The set of versions has reported
 * that no readable version refers to the segment. The owner of the memory component that was filled
 * together with it has reported that no thread reads the component.
 *
 * <p>Threads: any. A lookup of an open segment is one volatile read. Opening takes the monitor.
 */
public final class ValueLog implements AutoCloseable {

  /** The resident share of a segment from which on it counts as being in memory. */
  private static final double IN_MEMORY_MIN = 0.9;

  /** The bytes of a value that {@link #touch} reads. The processor prefetches longer values. */
  public static final int TOUCHED_BYTES_MAX = 1 << 10;

  private static final int CACHE_LINE_BYTES = 64;

  private final StoreDirectory directory;
  private final long storeId;

  /** Modified under this. */
  private final SegmentTable segments = new SegmentTable();

  /** Segments that memory components may read or that are being punched. */
  @GuardedBy("this")
  private final BitSet inMemory = new BitSet();

  /** The segments in {@link #inMemory} that no table points into any more. */
  @GuardedBy("this")
  private final BitSet dead = new BitSet();

  /** Holes that wait until no memory component reads their segment, or for their turn. */
  @GuardedBy("this")
  private final Map<Integer, List<long[]>> waitingHoles = new HashMap<>();

  /** Opened segments that a move has written. */
  private final Set<Integer> moved = ConcurrentHashMap.newKeySet();

  /** Opened segments that a flush has written. */
  private final Set<Integer> sortedByFlush = ConcurrentHashMap.newKeySet();

  /** The results of {@link #wasInMemory(int)}, by segment. */
  private final Map<Integer, Boolean> wasInMemory = new ConcurrentHashMap<>();

  private final SegmentHoles holes;
  private final Runnable whenMapped;

  @GuardedBy("this")
  private int lastEvicted;

  /**
   * Creates a value log in a directory.
   *
   * @param whenMapped runs after a segment was mapped for reading
   */
  public ValueLog(
      StoreDirectory directory, long storeId, LongSupplier nanoClock, Runnable whenMapped) {
    this.directory = directory;
    this.storeId = storeId;
    this.whenMapped = whenMapped;
    this.holes = new SegmentHoles(directory, nanoClock);
  }

  /** Adds the value segment of a generation. */
  public synchronized void add(LogGeneration generation) {
    MappedFile file = generation.file(true);
    int number = SegmentFiles.numberOf(file);
    segments.put(number, file);
    inMemory.set(number);
  }

  /** Removes the segment of a generation that will not be begun. Allocates nothing. */
  public synchronized void drop(LogGeneration generation) {
    int number = numberOf(generation);
    inMemory.clear(number);
    segments.remove(number);
  }

  /**
   * Notes that no memory component reads a flushed generation's value segment any more. If the
   * segment is empty, {@link SegmentFiles} owns it again. From now on, reads of it are random. In
   * large pages, the kernel would read 2 MiB for a value, and evict useful pages.
   *
   * @param deleting deletes the segment if no table needs it either
   */
  public void leftMemory(LogGeneration generation, Executor deleting) {
    generation.leaveLargePages();
    punchWaiting(numberOf(generation), !generation.hasValues(), deleting);
  }

  /**
   * Punches the waiting holes of a segment. Its number is in {@link #inMemory} during the call, so
   * no other thread deletes the segment or punches holes in it.
   */
  private void punchWaiting(int number, boolean isEmpty, Executor deleting) {
    List<long[]> waiting;
    boolean isDead;
    do {
      synchronized (this) {
        isDead = dead.get(number);
        List<long[]> found = waitingHoles.remove(number);
        waiting = found == null || isDead ? List.of() : found;
        if (waiting.isEmpty()) {
          inMemory.clear(number);
          if (isEmpty && !isDead) {
            segments.remove(number);
          }
        }
      }
      waiting.forEach(ranges -> holes.punch(number, ranges));
    } while (!waiting.isEmpty());
    if (isDead) {
      deleting.execute(() -> delete(number));
    }
  }

  /**
   * Deletes a segment that no table of any readable version points into. The deletion waits until
   * no memory component reads the segment.
   */
  public void free(int number) {
    synchronized (this) {
      dead.set(number);
      if (inMemory.get(number)) {
        return;
      }
    }
    delete(number);
  }

  /**
   * Deletes a segment. Runs outside the monitor, because a deletion may take the file system a long
   * time.
   */
  private void delete(int number) {
    MappedFile file;
    synchronized (this) {
      dead.clear(number);
      file = segments.remove(number);
    }
    if (file != null) {
      file.close();
    }
    moved.remove(number);
    sortedByFlush.remove(number);
    wasInMemory.remove(number);
    holes.forget(number);
    directory.deleteClosed(StoreFileName.valueLog(number));
  }

  /** The holes of the segments. */
  public SegmentHoles holes() {
    return holes;
  }

  /**
   * Frees ranges of a segment that no table of any readable version points into, if that is worth
   * it. This waits until no memory component reads the segment.
   *
   * @param ranges in the format of {@link StoreDirectory#punch}
   */
  public void punch(int number, long[] ranges) {
    synchronized (this) {
      waitingHoles.computeIfAbsent(number, any -> new ArrayList<>()).add(ranges);
      if (inMemory.get(number)) {
        return;
      }
      inMemory.set(number);
    }
    punchWaiting(number, false, Runnable::run);
  }

  /** Returns the number of a generation's value segment. */
  public static int numberOf(LogGeneration generation) {
    return generation.valueNumber();
  }

  /**
   * Starts reading a range of a segment into the page cache, without waiting. Has no effect on a
   * segment that was never read, or on a range outside the segment. The later read reports such an
   * error.
   */
  public void mayNeed(int number, long from, long to) {
    MappedFile file = segments.get(number);
    if (file != null && from >= 0 && from <= to && to <= file.length()) {
      file.advise(Advice.WILL_NEED, (int) from, (int) (to - from));
    }
  }

  /** Returns the length of a segment; 0 if it was never read. */
  public long length(int number) {
    MappedFile file = segments.get(number);
    return file == null ? 0 : file.length();
  }

  /** Starts reading a range of a segment into the page cache, clipped to the segment. */
  public void willNeed(int number, long from, long to) {
    MappedFile file = segment(ValuePointer.of(number, 0, false, 0));
    int start = (int) Math.max(0, Math.min(from, file.length()));
    int end = (int) Math.max(start, Math.min(to, file.length()));
    file.advise(Advice.WILL_NEED, start, end - start);
  }

  /**
   * {@linkplain MappedFile#load Loads} a segment into free memory. Opens the segment if it was
   * never read.
   *
   * @param free bytes of memory to fill at most
   * @return the free bytes that are left; negative if the segment did not fit
   * @throws CorruptionException if the segment is missing, or its head is damaged
   */
  public long load(int number, long free) {
    return segment(ValuePointer.of(number, 0, false, 0)).load(free);
  }

  /**
   * Reads one byte of each cache line of a record, up to a maximum, so that the lines are in the
   * processor's cache for a later read. If several values are touched one after the other, their
   * cache misses overlap. Returns the sum of the bytes, or 0 if the segment is not open.
   */
  public int touch(ValuePointer pointer) {
    MappedFile file = segments.get(pointer.segment());
    if (file == null) {
      return 0;
    }
    ByteBuffer memory = file.memory();
    int begin = pointer.offset();
    int end = Math.min(file.length(), begin + Math.min(pointer.valueLength(), TOUCHED_BYTES_MAX));
    int sum = 0;
    for (int at = begin; at < end; at += CACHE_LINE_BYTES) {
      sum += memory.get(at);
    }
    return sum;
  }

  /** Returns whether a segment is being written, or was read since the store was opened. */
  public boolean isOpen(int number) {
    return segments.get(number) != null;
  }

  /**
   * Returns whether almost all of a segment was in memory when this method was first called for it.
   * The first call precedes the relocation of values, which itself brings the segment into memory.
   * Opens the segment if it was never read.
   *
   * @throws CorruptionException if the segment is missing, or its head is damaged
   */
  public boolean wasInMemory(int number) {
    return wasInMemory.computeIfAbsent(number, this::isInMemory);
  }

  /**
   * Returns whether almost all of a segment is in memory. Opens the segment if it was never read.
   *
   * @throws CorruptionException if the segment is missing, or its head is damaged
   */
  public boolean isInMemory(int number) {
    MappedFile file = segment(ValuePointer.of(number, 0, false, 0));
    return file.residentBytes(0, file.length()) >= IN_MEMORY_MIN * file.length();
  }

  /**
   * Returns whether a move has written a segment, with many values of one partition in the order of
   * their keys. Opens the segment if it was never read.
   *
   * @throws CorruptionException if the segment is missing, or its head is damaged
   */
  public boolean isMoved(int number) {
    segment(ValuePointer.of(number, 0, false, 0));
    return moved.contains(number);
  }

  /**
   * Returns whether a flush has written a segment, with the values of one generation in the order
   * of their keys. Opens the segment if it was never read.
   *
   * @throws CorruptionException if the segment is missing, or its head is damaged
   */
  public boolean isSortedByFlush(int number) {
    segment(ValuePointer.of(number, 0, false, 0));
    return sortedByFlush.contains(number);
  }

  /** Returns the segment that a pointer points into. */
  MappedFile segment(ValuePointer pointer) {
    int number = pointer.segment();
    MappedFile file = segments.get(number);
    return file != null ? file : open(number);
  }

  private synchronized MappedFile open(int number) {
    MappedFile file = segments.get(number);
    if (file != null) {
      return file;
    }
    String name = "value-log segment " + number;
    if (number > 0) {
      name = StoreFileName.valueLog(number);
    }
    if (number <= 0 || !directory.exists(name)) {
      throw new CorruptionException(name, 0, "the file is missing; a value pointer names it");
    }
    MappedFile opened = directory.openReadOnly(name);
    try {
      // Before the head is read: that read too would make the kernel read ahead.
      opened.advise(Advice.RANDOM, 0, opened.length());
      SegmentLayout head =
          SegmentLayout.read(opened.memory(), name, FileHeader.Kind.VALUE_LOG, storeId, number);
      if (head.isSorted()) {
        (head.isMoved() ? moved : sortedByFlush).add(number);
      }
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    segments.put(number, opened);
    whenMapped.run();
    return opened;
  }

  /** The number of mapped segments that memory components do not need. */
  public synchronized int openSegments() {
    int open = 0;
    for (int number = segments.next(0); number >= 0; number = segments.next(number + 1)) {
      open += inMemory.get(number) ? 0 : 1;
    }
    return open;
  }

  /**
   * Makes some open segments that memory components do not need unreachable for new readers.
   * Segments take turns. The next reader opens an evicted segment again.
   *
   * @return actions that close the segments, to be run once every version that is readable now is
   *     unpinned
   */
  public synchronized List<Runnable> evict(int count) {
    List<Runnable> closes = new ArrayList<>();
    int number = lastEvicted;
    for (int left = segments.count(); left > 0 && closes.size() < count; left--) {
      number = segments.next(number + 1);
      number = number < 0 ? segments.next(0) : number;
      MappedFile file = segments.get(number);
      if (file != null && !inMemory.get(number)) {
        closes.add(file::close);
        segments.remove(number);
        lastEvicted = number;
      }
    }
    return closes;
  }

  /**
   * Returns the bytes that a put of such a key and value takes in a segment, for the accounts of
   * live bytes. The result does not include a promise, or the bytes of a batch around its
   * operations. Relocation does not rewrite them, so they count as dead from the start.
   */
  public static long recordBytes(int keyLength, ValuePointer pointer) {
    int head = pointer.inBatch()
        ? RecordLayout.OPERATION_HEAD
        : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    long length = (long) head + keyLength + pointer.valueLength();
    return (length + RecordLayout.UNIT - 1) / RecordLayout.UNIT * RecordLayout.UNIT;
  }

  /** Closes all segments, opened and added ones. */
  @Override
  public synchronized void close() {
    segments.forEach(MappedFile::close);
    segments.clear();
  }
}
