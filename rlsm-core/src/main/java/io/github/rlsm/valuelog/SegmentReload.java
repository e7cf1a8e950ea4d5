// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.io.MappedFile;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * Loads moved values into the memory that moves leave free.
 *
 * <p>If memory is short, a move keeps no new segment in it, and its old segments are deleted. Both
 * leave memory free. Clients would have to fill it again by one random read after the other.
 *
 * <p>At most as many bytes are loaded as were free when loading began, so the pages of other files
 * stay. Each segment is loaded at most once. A moved segment was in memory when it was written, so
 * this never reads more than the moves have written and read.
 *
 * <p>Threads: any.
 */
public final class SegmentReload {

  /**
   * Numbers of segments in the order of their moves, since each new segment has a higher number.
   * The deletion of a segment removes it, in a time that hardly depends on the number of segments.
   */
  private final NavigableSet<Integer> waiting = new ConcurrentSkipListSet<>();

  /** Bytes that moves had in memory and that left it, since the last loading. */
  private final AtomicLong freedBytes = new AtomicLong();

  /** Segments that are being deleted. */
  private final AtomicInteger deletions = new AtomicInteger();

  private volatile Runnable whenFreed = () -> {};

  SegmentReload() {}

  /** Adds a segment with moved values that has left memory. */
  public void add(int number, long bytes) {
    waiting.add(number);
    freedBytes.addAndGet(bytes);
  }

  /**
   * Sets what to do when deletions have left memory free. They run in the background, so the job
   * that caused them may have called {@link #run} before.
   */
  public void whenFreed(Runnable action) {
    whenFreed = action;
  }

  /** Counts the memory of a segment that is about to be deleted. */
  void willDelete(int number, MappedFile file) {
    deletions.incrementAndGet();
    waiting.remove(number);
    if (!waiting.isEmpty()) {
      freedBytes.addAndGet(file.residentBytes(0, file.length()));
    }
  }

  /** Declares that a deletion is done. */
  void deleted() {
    if (deletions.decrementAndGet() == 0 && freedBytes.get() > 0) {
      whenFreed.run();
    }
  }

  /** Declares that writers use the memory freed so far. */
  public void skip() {
    freedBytes.set(0);
  }

  /**
   * Loads segments until they fill the freed memory, or until the caller no longer wants it.
   *
   * @param goesOn whether to load another segment
   * @param free returns the bytes of memory that nothing uses
   * @param load loads a segment, and returns how many bytes were not in memory
   */
  public void run(BooleanSupplier goesOn, LongSupplier free, IntToLongFunction load) {
    long freed = freedBytes.getAndSet(0);
    if (freed == 0 || waiting.isEmpty()) {
      return;
    }
    long bytes = Math.min(freed, free.getAsLong());
    while (bytes > 0 && goesOn.getAsBoolean()) {
      Integer next = waiting.pollFirst();
      if (next == null) {
        return;
      }
      bytes -= load.applyAsLong(next);
    }
  }
}
