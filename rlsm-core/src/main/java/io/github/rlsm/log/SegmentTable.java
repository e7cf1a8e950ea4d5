// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Open segments by number, in pages of {@value #PAGE} numbers. Numbers only grow and old segments
 * are removed, so pages without a segment are dropped. The memory and the cost of a change depend
 * on the number of live segments, not on the highest number.
 *
 * <p>Threads: one thread at a time changes it; any thread reads.
 */
final class SegmentTable {

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE = 1 << PAGE_SHIFT;

  /** The segments of {@value #PAGE} neighbouring numbers. */
  private static final class Page {
    final AtomicReferenceArray<@Nullable MappedFile> files = new AtomicReferenceArray<>(PAGE);
    int count; // changed by the one thread that changes the table
  }

  private int count;

  /** Replaced when it grows, and when a page is added or dropped. */
  private volatile @Nullable Page[] pages = new Page[4];

  /** The segment of a number; null if there is none, also for a number that none can have. */
  @Nullable
  MappedFile get(int number) {
    @Nullable Page[] now = pages;
    int index = number >>> PAGE_SHIFT; // a negative number has an index behind all
    Page page = index < now.length ? now[index] : null;
    return page == null ? null : page.files.get(number & PAGE - 1);
  }

  /** Puts a segment in. */
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

  /** Takes a segment out, and returns it. Allocates nothing. */
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
        now[index] = null; // a reader that still finds the page finds it empty
      }
    }
    return removed;
  }

  /** How many segments there are. For the thread that changes the table. */
  int count() {
    return count;
  }

  /** The first number from {@code number} on that has a segment; -1 if none has. */
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

  /** Hands every segment to a consumer. */
  void forEach(Consumer<MappedFile> consumer) {
    for (int number = next(0); number >= 0; number = next(number + 1)) {
      MappedFile file = get(number);
      if (file != null) {
        consumer.accept(file);
      }
    }
  }

  /** Takes all segments out. */
  void clear() {
    pages = new Page[4];
    count = 0;
  }

  /** Bytes of heap that the table takes, about. */
  long heapBytes() {
    long bytes = 16L + 4L * pages.length;
    for (Page page : pages) {
      bytes += page == null ? 0 : 32 + 4L * PAGE;
    }
    return bytes;
  }
}
