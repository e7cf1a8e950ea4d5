// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.io.MappedFile;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;

/**
 * Loads moved values into the memory that deleted segments leave free.
 *
 * <p>If memory is short, a move keeps no new segment in it, and its old segments fill it. Their
 * deletion leaves it free. Clients would have to fill it again by one random read after the other.
 *
 * <p>At most as many bytes are loaded as the deleted segments had in memory, so the pages of other
 * files stay. Each segment is loaded at most once.
 *
 * <p>Threads: any.
 */
public final class SegmentReload {

  /**
   * Numbers of segments in the order of their moves, since each new segment has a higher number.
   * The deletion of a segment removes it, in a time that hardly depends on the number of segments.
   */
  private final NavigableSet<Integer> waiting = new ConcurrentSkipListSet<>();

  private final AtomicLong freedBytes = new AtomicLong();

  SegmentReload() {}

  /** Adds a segment with moved values that has left memory. */
  public void add(int number) {
    waiting.add(number);
  }

  /** Counts the memory of a segment that is about to be deleted. */
  void willDelete(int number, MappedFile file) {
    waiting.remove(number);
    if (!waiting.isEmpty()) {
      freedBytes.addAndGet(file.residentBytes(0, file.length()));
    }
  }

  /** Declares that other data uses the memory freed so far. */
  public void skip() {
    freedBytes.set(0);
  }

  /**
   * Loads segments until they fill the freed memory.
   *
   * @param load loads a segment, and returns how many bytes were not in memory
   */
  public void run(IntToLongFunction load) {
    long bytes = freedBytes.getAndSet(0);
    while (bytes > 0) {
      Integer next = waiting.pollFirst();
      if (next == null) {
        return;
      }
      bytes -= load.applyAsLong(next);
    }
  }
}
