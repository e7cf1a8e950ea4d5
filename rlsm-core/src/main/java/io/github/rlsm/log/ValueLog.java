// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The value segments by number: those being written, and those sealed, which are opened when they
 * are first read.
 *
 * <p>A segment that is not needed any more is closed and deleted when two have said so: the set of
 * versions, that no version anybody can see has it, and the owner of the memory component that was
 * filled together with it, that nobody reads that one.
 *
 * <p>Threads: any. A segment is found by one volatile read; opening takes the monitor.
 */
public final class ValueLog implements AutoCloseable {

  /** The share of a segment from which on it counts as being in memory. */
  private static final double IN_MEMORY_MIN = 0.9;

  /** As much of a value as {@link #touch} reads; longer ones are fetched ahead by the processor. */
  public static final int TOUCHED_BYTES_MAX = 1 << 10;

  private static final int CACHE_LINE_BYTES = 64;

  private final StoreDirectory directory;
  private final long storeId;

  /** Changed under this. */
  private final SegmentTable segments = new SegmentTable();

  /** Segments that memory components may read, or holes are punched in; guarded by this. */
  private final BitSet inMemory = new BitSet();

  /** Those of them that no table points into any more; guarded by this. */
  private final BitSet dead = new BitSet();

  /** Holes that wait until their segment has left memory, or their turn; guarded by this. */
  private final Map<Integer, List<long[]>> waitingHoles = new HashMap<>();

  /** Segments that were opened and hold moved values. */
  private final Set<Integer> inKeyOrder = ConcurrentHashMap.newKeySet();

  /** By segment, what was found when somebody asked for it. */
  private final Map<Integer, Boolean> wasInMemory = new ConcurrentHashMap<>();

  private final SegmentHoles holes;
  private final Runnable whenMapped;
  private int lastEvicted; // guarded by this

  /** A value log in a directory. */
  public ValueLog(StoreDirectory directory, long storeId, LongSupplier nanoClock) {
    this(directory, storeId, nanoClock, () -> {});
  }

  /**
   * A value log in a directory.
   *
   * @param whenMapped run when a segment was mapped to be read
   */
  public ValueLog(
      StoreDirectory directory, long storeId, LongSupplier nanoClock, Runnable whenMapped) {
    this.directory = directory;
    this.storeId = storeId;
    this.whenMapped = whenMapped;
    this.holes = new SegmentHoles(directory, nanoClock);
  }

  /**
   * Makes the value segment of a generation known. From here on it is read here and there; what the
   * kernel would read around each value, megabytes on some machines, drives out what is needed.
   */
  public synchronized void add(LogGeneration generation) {
    MappedFile file = generation.file(true);
    file.advise(Advice.RANDOM, 0, file.length());
    int number = SegmentFiles.numberOf(file);
    segments.put(number, file);
    inMemory.set(number);
  }

  /** A generation that was made known will not be begun. Allocates nothing. */
  public synchronized void drop(LogGeneration generation) {
    int number = numberOf(generation);
    inMemory.clear(number);
    segments.remove(number);
  }

  /**
   * No memory component reads a flushed generation's value segment any more. If there is nothing in
   * it, it is {@link SegmentFiles}' again.
   */
  public void leftMemory(LogGeneration generation) {
    punchWaiting(numberOf(generation), !generation.hasValues());
  }

  /**
   * Punches the holes that wait in a segment, whose number is in {@link #inMemory} as long: so
   * nobody deletes it meanwhile, and nobody else punches there.
   */
  private void punchWaiting(int number, boolean isEmpty) {
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
      delete(number);
    }
  }

  /**
   * No table of any version that is still read points into a segment any more: deletes it, at once
   * or when it has left memory.
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

  /** Not under the monitor: that a file goes can take the file system a long time. */
  private void delete(int number) {
    MappedFile file;
    synchronized (this) {
      dead.clear(number);
      file = segments.remove(number);
    }
    if (file != null) {
      file.close();
    }
    inKeyOrder.remove(number);
    wasInMemory.remove(number);
    holes.forget(number);
    directory.deleteClosed(StoreFileName.valueLog(number));
  }

  /** The holes in segments. */
  public SegmentHoles holes() {
    return holes;
  }

  /**
   * No table of any version that is still read points into some ranges of a segment any more: gives
   * their room back, if it is worth it, at once or when the segment has left memory.
   *
   * @param ranges as {@link StoreDirectory#punch} wants them
   */
  public void punch(int number, long[] ranges) {
    synchronized (this) {
      waitingHoles.computeIfAbsent(number, any -> new ArrayList<>()).add(ranges);
      if (inMemory.get(number)) {
        return;
      }
      inMemory.set(number);
    }
    punchWaiting(number, false);
  }

  /** Number of a generation's value segment. */
  public static int numberOf(LogGeneration generation) {
    return generation.valueNumber();
  }

  /**
   * Has the kernel begin to read a range of a segment, without waiting for it. Does nothing for a
   * segment that was never read, and for a range that is not there: that is for the reading itself
   * to report.
   */
  public void mayNeed(int number, long from, long to) {
    MappedFile file = segments.get(number);
    if (file != null && from >= 0 && from <= to && to <= file.length()) {
      file.advise(Advice.WILL_NEED, (int) from, (int) (to - from));
    }
  }

  /** Has the kernel begin to read a range of a segment, as far as there is one. */
  public void willNeed(int number, long from, long to) {
    MappedFile file = segment(ValuePointer.of(number, 0, false, 0));
    int start = (int) Math.max(0, Math.min(from, file.length()));
    int end = (int) Math.max(start, Math.min(to, file.length()));
    file.advise(Advice.WILL_NEED, start, end - start);
  }

  /**
   * Reads a byte of each cache line of what a pointer points to, or of the first of them, so that
   * they are in the processor's cache when they are read. Such reads, of several values one after
   * the other, wait for memory together. Returns their sum; 0 where {@link #mayNeed} would do
   * nothing.
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

  /** Whether a segment is being written, or was read since the store was opened. */
  public boolean isOpen(int number) {
    return segments.get(number) != null;
  }

  /**
   * Whether about all of a segment was in memory when this was asked first: before values were
   * moved out of it, which brings it there. Opens the segment if it was never read.
   *
   * @throws CorruptionException if it is not there, or its head is damaged
   */
  public boolean wasInMemory(int number) {
    return wasInMemory.computeIfAbsent(number, any -> {
      MappedFile file = segment(ValuePointer.of(number, 0, false, 0));
      return file.residentBytes(0, file.length()) >= IN_MEMORY_MIN * file.length();
    });
  }

  /**
   * Whether values of a segment were moved there, in the order of their keys; not in the order in
   * which they were written. Opens the segment if it was never read.
   *
   * @throws CorruptionException if it is not there, or its head is damaged
   */
  public boolean isInKeyOrder(int number) {
    segment(ValuePointer.of(number, 0, false, 0));
    return inKeyOrder.contains(number);
  }

  /** The segment a pointer points into. */
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
      SegmentLayout head =
          SegmentLayout.read(opened.memory(), name, FileKind.VALUE_LOG, storeId, number);
      if (head.generation() == SegmentLayout.NO_GENERATION) {
        inKeyOrder.add(number);
      }
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    opened.advise(Advice.RANDOM, 0, opened.length());
    segments.put(number, opened);
    whenMapped.run();
    return opened;
  }

  /** How many segments are mapped that memory does not need. */
  public synchronized int openSegments() {
    int open = 0;
    for (int number = segments.next(0); number >= 0; number = segments.next(number + 1)) {
      open += inMemory.get(number) ? 0 : 1;
    }
    return open;
  }

  /**
   * Takes some open segments that memory does not need out of the readers' reach. Segments take
   * turns. The next reader opens them again.
   *
   * @return the actions that close them, to be run once every version that can be read at this
   *     moment is unpinned
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
   * Bytes that a put of such a key and value takes in a segment, for the accounts of live bytes. A
   * promise in the record, and what a batch has around its operations, is not in it: that is not
   * written again when the value is moved, and so counts as dead from the start.
   */
  public static long recordBytes(int keyLength, ValuePointer pointer) {
    int head = pointer.inBatch()
        ? RecordLayout.OPERATION_HEAD
        : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    long length = (long) head + keyLength + pointer.valueLength();
    return (length + RecordLayout.UNIT - 1) / RecordLayout.UNIT * RecordLayout.UNIT;
  }

  /** Closes the segments that it opened, and those it was told of. */
  @Override
  public synchronized void close() {
    segments.forEach(MappedFile::close);
    segments.clear();
  }
}
