// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.LittleEndian;
import java.util.BitSet;

/**
 * An ascending cursor over those entries of a part of a table whose values stand in some segments
 * of the value log: a few of many, so the others cost a look at their head and their pointer, and
 * no more. A page is looked through as a whole when it is entered, in one loop, whose loads do not
 * depend on each other.
 *
 * <p>Threads: one thread at a time.
 */
final class PointerCursor extends PageCursor {

  private final KeyRange range;
  private final int firstPage;
  private final int lastPage;

  /** Number of the first segment that is wanted. */
  private final int firstSegment;

  /**
   * Which are, from the first on. Every pointer of a page is asked for here: a search among the
   * numbers cost three mispredicted branches for each.
   */
  private final BitSet segments = new BitSet();

  // The page that was looked through last, and what was found there.
  private int page;
  private int[] entries = new int[16];
  private int found;

  /** Which of them the cursor is on. */
  private int at;

  PointerCursor(Pages pages, Fences fences, ReadAhead readAhead, KeyRange range, int[] segments) {
    super(pages, fences, readAhead);
    this.range = range;
    this.firstPage = fences.firstPage(range);
    this.lastPage = range.isEmpty() || segments.length == 0 ? -1 : fences.lastPage(range);
    this.firstSegment = segments.length == 0 ? 0 : segments[0];
    for (int segment : segments) {
      this.segments.set(segment - firstSegment);
    }
  }

  @Override
  public boolean seekFirst() {
    return beginAt(firstPage);
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    boolean more = beginAt(Math.max(firstPage, fences.seek(key, offset, length)));
    while (more && KeyOrder.compare(key, offset, length, buffer, keyOffset(), keyLength()) > 0) {
      more = next();
    }
    return more;
  }

  private boolean beginAt(int target) {
    page = target - 1;
    found = 0;
    at = -1;
    return next();
  }

  @Override
  public boolean next() {
    at++;
    while (at >= found) {
      if (page >= lastPage) {
        found = 0;
        at = 0;
        return false;
      }
      lookThrough(page + 1);
    }
    stand(entries[at], PageLayout.head(buffer, entries[at]));
    return true;
  }

  private void lookThrough(int target) {
    page = target;
    turnTo(target);
    found = 0;
    at = 0;
    try {
      int count = fences.count(target);
      byte[] from = target == firstPage ? range.from() : null;
      byte[] to = target == lastPage ? range.to() : null;
      int low = from == null ? 0 : PageLayout.rank(buffer, start, count, from, 0, from.length);
      int high = to == null ? count : PageLayout.rank(buffer, start, count, to, 0, to.length);
      if (entries.length < high - low) {
        entries = new int[high - low];
      }
      for (int rank = low; rank < high; rank++) {
        int entry = PageLayout.entryAtRank(buffer, start, count, rank);
        if (isWanted(entry)) {
          entries[found++] = entry;
        }
      }
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(target, e);
    }
  }

  private boolean isWanted(int entry) {
    long first = PageLayout.head(buffer, entry);
    if (PageLayout.kind(first) != EntryKind.POINTER) {
      return false;
    }
    checkInside(page, entry, first);
    int pointer = entry + PageLayout.keyStart(first) + PageLayout.keyLength(first);
    int segment = LittleEndian.getMappedInt(buffer, pointer);
    return segment >= firstSegment && segments.get(segment - firstSegment);
  }

  @Override
  public long keyPrefix() {
    return KeyOrder.prefix(buffer, keyOffset(), keyLength());
  }
}
