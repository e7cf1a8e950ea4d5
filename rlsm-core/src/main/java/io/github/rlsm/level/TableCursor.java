// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;

/**
 * A cursor over the part of a table that lies in a key range.
 *
 * <p>Keys are compared with the ends of the range once for each page at its ends, not for each
 * entry: on entering a page the cursor finds the ranks that lie inside.
 *
 * <p>Threads: one thread at a time.
 */
final class TableCursor implements EntryCursor {

  private static final int NOWHERE = -1;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Pages pages;
  private final Fences fences;
  private final ReadAhead readAhead;
  private final KeyRange range;
  private final boolean descending;
  private final int firstPage;
  private final int lastPage;

  // The page the cursor is on, and the ranks in it, low ≤ rank < high, that lie in the range.
  private int page = NOWHERE;
  private ByteBuffer buffer = NOTHING;
  private int start;
  private int count;
  private int low;
  private int high;

  // The entry the cursor is on.
  private int rank;
  private int entry;
  private long head;
  private int keyOffset;
  private int keyLength;

  TableCursor(Pages pages, Fences fences, ReadAhead readAhead, KeyRange range, boolean descending) {
    this.pages = pages;
    this.fences = fences;
    this.readAhead = readAhead;
    this.range = range;
    this.descending = descending;
    this.firstPage = fences.firstPage(range);
    this.lastPage = range.isEmpty() ? NOWHERE : fences.lastPage(range);
  }

  @Override
  public boolean seekFirst() {
    if (firstPage > lastPage) {
      return leave();
    }
    enter(descending ? lastPage : firstPage);
    rank = descending ? high - 1 : low;
    return settle();
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    if (firstPage > lastPage) {
      return leave();
    }
    int target = fences.seek(key, offset, length);
    enter(Math.max(firstPage, Math.min(lastPage, target)));
    try {
      int found = PageLayout.rank(buffer, start, key, offset, length);
      if (!descending) {
        rank = Math.max(low, found);
      } else {
        boolean equal = found < count
            && PageLayout.compareAtRank(buffer, start, found, key, offset, length) == 0;
        rank = Math.min(high - 1, equal ? found : found - 1);
      }
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
    return settle();
  }

  @Override
  public boolean next() {
    rank += descending ? -1 : 1;
    return (rank < high && rank >= low) ? readEntry() : settle();
  }

  /** Goes on to the nearest page that has a rank in the range, if the current one has none left. */
  private boolean settle() {
    while (page != NOWHERE) {
      if (rank < high && rank >= low) {
        return readEntry();
      }
      if (page == (descending ? firstPage : lastPage)) {
        return leave();
      }
      enter(descending ? page - 1 : page + 1);
      rank = descending ? high - 1 : low;
    }
    return false;
  }

  private void enter(int target) {
    if (target == page) {
      return;
    }
    readAhead.entering(target);
    leave();
    buffer = pages.page(target);
    start = pages.start(buffer, target);
    count = PageLayout.count(buffer, start);
    byte[] from = target == firstPage ? range.from() : null;
    byte[] to = target == lastPage ? range.to() : null;
    try {
      low = from == null ? 0 : PageLayout.rank(buffer, start, from, 0, from.length);
      high = to == null ? count : PageLayout.rank(buffer, start, to, 0, to.length);
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(target, e);
    }
    page = target;
  }

  private boolean leave() {
    page = NOWHERE;
    low = 0;
    high = 0;
    return false;
  }

  private boolean readEntry() {
    try {
      entry = PageLayout.entryAtRank(buffer, start, count, rank);
      head = PageLayout.head(buffer, entry);
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
    keyOffset = entry + PageLayout.keyStart(head);
    keyLength = PageLayout.keyLength(head);
    int valueLength = PageLayout.valueLength(head);
    if (valueLength < 0 || valueLength > buffer.limit() - keyOffset - keyLength) {
      throw pages.damage(page, null);
    }
    return true;
  }

  @Override
  public long keyPrefix() {
    return KeyOrder.prefix(buffer, keyOffset, keyLength);
  }

  @Override
  public ByteBuffer keyBuffer() {
    return buffer;
  }

  @Override
  public int keyOffset() {
    return keyOffset;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int kind() {
    return PageLayout.kind(head);
  }

  @Override
  public long seqno() {
    return PageLayout.seqno(buffer, start, entry);
  }

  @Override
  public ByteBuffer valueBuffer() {
    return buffer;
  }

  @Override
  public int valueOffset() {
    return keyOffset + keyLength;
  }

  @Override
  public int valueLength() {
    return PageLayout.valueLength(head);
  }
}
