// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.io.MappedFile;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table of open segments by number, in pages of {@value #PAGE} numbers. Numbers only grow and old
 * segments are removed, so the table drops pages without a segment. The memory and the cost of a
 * change depend on the number of live segments, not on the highest number.
 *
 * <p>Threads: one thread at a time modifies the table; any thread reads it.
 */
final class SegmentTable {

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE = 1 << PAGE_SHIFT;

  /** The segments of {@value #PAGE} consecutive numbers. */
  private static final class Page {
    final AtomicReferenceArray<@Nullable MappedFile> files = new AtomicReferenceArray<>(PAGE);
    int count; // changed only by the thread that modifies the table
  }

  private int count;

  /** Replaced when it grows and when a page is added. A dropped page becomes null in place. */
  private volatile @Nullable Page[] pages = new Page[4];

  /** Returns the segment with a number; null if there is none. The number may be impossible. */
  @Nullable
  MappedFile get(int number) {
    @Nullable Page[] now = pages;
    int index = number >>> PAGE_SHIFT; // a negative number has an index past the end
    Page page = index < now.length ? now[index] : null;
    return page == null ? null : page.files.get(number & PAGE - 1);
  }

  /** Adds a segment. */
  void put(int number, MappedFile file) {
    Page page = page(number >>> PAGE_SHIFT);
    if (page.files.getAndSet(number & PAGE - 1, file) == null) {
      page.count++;
      count++;
    }
  }

  private Page page(int index) {
    @Nullable Page[] now = pages;
    Page page = index < now.length ? now[index] : null;
    if (page != null) {
      return page;
    }
    Page added = new Page();
    int length = index < now.length ? now.length : 2 * index + 1;
    @Nullable Page[] next = Arrays.copyOf(now, length);
    next[index] = added;
    pages = next;
    return added;
  }

  /** Removes a segment and returns it. Allocates nothing. */
  @Nullable
  MappedFile remove(int number) {
    @Nullable Page[] now = pages;
    int index = number >>> PAGE_SHIFT;
    Page page = index < now.length ? now[index] : null;
    if (page == null) {
      return null;
    }
    MappedFile removed = page.files.getAndSet(number & PAGE - 1, null);
    if (removed != null) {
      count--;
      if (--page.count == 0) {
        now[index] = null; // a reader that still holds the page finds it empty
      }
    }
    return removed;
  }

  /** Returns the number of segments. Only for the thread that modifies the table. */
  int count() {
    return count;
  }

  /**
   * Returns the first number at or after {@code number} that has a segment; -1 if there is none.
   */
  int next(int number) {
    @Nullable Page[] now = pages;
    int at = number;
    while (at >>> PAGE_SHIFT < now.length) {
      Page page = now[at >>> PAGE_SHIFT];
      if (page == null) {
        at = ((at >>> PAGE_SHIFT) + 1) << PAGE_SHIFT;
      } else if (page.files.get(at & PAGE - 1) != null) {
        return at;
      } else {
        at++;
      }
    }
    return -1;
  }

  /** Passes every segment to a consumer. */
  void forEach(Consumer<MappedFile> consumer) {
    for (int number = next(0); number >= 0; number = next(number + 1)) {
      MappedFile file = get(number);
      if (file != null) {
        consumer.accept(file);
      }
    }
  }

  /** Removes all segments. */
  void clear() {
    pages = new Page[4];
    count = 0;
  }

  /** The approximate heap bytes of the table. Only a test of their limit calls this. */
  long heapBytes() {
    long bytes = 16L + 4L * pages.length;
    for (Page page : pages) {
      bytes += page == null ? 0 : 32 + 4L * PAGE;
    }
    return bytes;
  }
}
