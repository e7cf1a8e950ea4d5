// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.MappedFile;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

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

  /** Segments in the order of their moves. The deletion of a segment removes it. */
  @GuardedBy("this")
  private final Set<Integer> waiting = new LinkedHashSet<>();

  @GuardedBy("this")
  private long freedBytes;

  SegmentReload() {}

  /** Adds a segment with moved values that has left memory. */
  public synchronized void add(int number) {
    waiting.add(number);
  }

  /** Counts the memory of a segment that is about to be deleted. */
  void willDelete(int number, MappedFile file) {
    if (removesAndHasMore(number)) {
      // Outside the lock, because it asks the kernel about each page.
      int bytes = file.residentBytes(0, file.length());
      synchronized (this) {
        freedBytes += bytes;
      }
    }
  }

  private synchronized boolean removesAndHasMore(int number) {
    waiting.remove(number);
    return !waiting.isEmpty();
  }

  /** Declares that other data uses the memory freed so far. */
  public synchronized void skip() {
    freedBytes = 0;
  }

  /**
   * Loads segments until they fill the freed memory.
   *
   * @param load loads a segment, and returns how many bytes were not in memory
   */
  public void run(IntToLongFunction load) {
    long bytes = takeFreedBytes();
    while (bytes > 0) {
      Integer next = poll();
      if (next == null) {
        return;
      }
      bytes -= load.applyAsLong(next);
    }
  }

  private synchronized long takeFreedBytes() {
    long taken = freedBytes;
    freedBytes = 0;
    return taken;
  }

  private synchronized @Nullable Integer poll() {
    Iterator<Integer> first = waiting.iterator();
    if (!first.hasNext()) {
      return null;
    }
    Integer next = first.next();
    first.remove();
    return next;
  }
}
