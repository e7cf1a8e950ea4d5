// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.LittleEndian;
import java.util.BitSet;

/**
 * An ascending cursor over the entries of a key range whose values lie in one of several value-log
 * segments. Few entries qualify. For any other entry the cursor reads only its head and its
 * pointer. On entering a page, the cursor searches all of it in one loop, whose loads are
 * independent.
 *
 * <p>Threads: one thread at a time.
 */
final class PointerCursor extends PageCursor {

  private final KeyRange range;
  private final int firstPage;
  private final int lastPage;

  /** Number of the first segment in the set. */
  private final int firstSegment;

  /**
   * The set of segments, relative to the first one. The cursor tests each pointer of a page. A
   * binary search of the numbers would cost three mispredicted branches for each pointer.
   */
  private final BitSet segments = new BitSet();

  // The page that was searched last, and its qualifying entries.
  private int page;
  private int[] entries = new int[16];
  private int found;

  /** Index of the cursor's entry in the qualifying entries. */
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
    while (more && isBefore(key, offset, length)) {
      more = next();
    }
    return more;
  }

  private boolean isBefore(byte[] key, int offset, int length) {
    CursorEntry entry = entry();
    return KeyOrder.compare(
            key, offset, length, entry.buffer(), entry.keyOffset(), entry.keyLength())
        > 0;
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
    long head = PageLayout.head(buffer, entries[at]);
    int key = entries[at] + PageLayout.keyStart(head);
    stand(entries[at], head, KeyOrder.prefix(buffer, key, PageLayout.keyLength(head)));
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
}
