// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a key range of a table.
 *
 * <p>The cursor does not compare each key with the end of the range. When it enters the page where
 * the end may lie, it searches for the end once and gets a limit on the ranks.
 *
 * <p>If each step decoded one entry, it would wait for the cache lines of that entry. To avoid
 * this, the cursor decodes several entries ahead in one loop, whose loads are independent and
 * overlap. It begins with few entries, for short scans, and doubles their number.
 *
 * <p>Threads: one thread at a time.
 */
final class TableCursor extends PageCursor {

  private static final int AHEAD_MIN = 8;
  private static final int AHEAD_MAX = 32;

  /**
   * Entries to decode on either side of a key's estimated place. If 70 keys are spread at random,
   * the estimate is off by at most 8 in 19 of 20 cases.
   */
  private static final int NEAR = 8;

  private static final int NOWHERE = -1;
  private static final int UNKNOWN = -2;
  private static final int[] NO_INTS = {};
  private static final long[] NO_LONGS = {};

  private final KeyRange range;
  private final byte @Nullable [] from;
  private final byte @Nullable [] to;
  private final boolean empty;
  private final int step;

  /**
   * The last page in the cursor's direction that may hold keys of the range. Unknown until the
   * cursor comes near it, because finding it is a search like that of a seek.
   */
  private int farPage;

  // The page the cursor is on.
  private int page = NOWHERE;
  private int count;

  /** The rank, in the cursor's direction, of the next entry to decode. */
  private int rank;

  /** The first rank, in the cursor's direction, beyond the page or the range. */
  private int limit;

  // Entries decoded ahead, in the cursor's direction.
  private int[] entries = NO_INTS;
  private long[] heads = NO_LONGS;
  private long[] prefixes = NO_LONGS;
  private int decoded;
  private int ahead = AHEAD_MIN;

  // The page and the estimated rank of the key that was approached.
  private int approached = NOWHERE;
  private int guess;

  /** Keeps the compiler from removing the touching reads. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /** Index of the cursor's entry in the decoded entries. */
  private int at;

  TableCursor(Pages pages, Fences fences, ReadAhead readAhead, KeyRange range, boolean descending) {
    super(pages, fences, readAhead);
    this.from = range.from();
    this.to = range.to();
    this.empty = range.isEmpty();
    this.step = descending ? -1 : 1;
    this.range = range;
    boolean isOpen = (descending ? from : to) == null;
    this.farPage = !isOpen ? UNKNOWN : descending ? 0 : fences.pageCount() - 1;
  }

  @Override
  public boolean seekFirst() {
    byte[] bound = step > 0 ? from : to;
    if (bound != null) {
      return seek(bound, 0, bound.length);
    }
    int target = step > 0 ? 0 : fences.pageCount() - 1;
    if (empty || isPastFarPage(target)) {
      return leave();
    }
    enter(target);
    rank = step > 0 ? 0 : count - 1;
    return settle();
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    byte[] bound = step > 0 ? from : to;
    if (bound != null && isBeforeRange(bound, key, offset, length)) {
      approached = NOWHERE;
      return position(bound, 0, bound.length, step < 0);
    }
    return position(key, offset, length, false);
  }

  @Override
  public void approach(byte[] key, int offset, int length) {
    approached = fences.seek(key, offset, length);
    int entriesInPage = fences.count(approached);
    guess = fences.guessRank(approached, entriesInPage, key, offset, length);
    if (!requestAtOnce(approached)) {
      touched += pages.touch(approached, entriesInPage, Math.max(0, guess - NEAR));
    }
  }

  /** Whether a key lies before the range in the cursor's direction, or at its exclusive end. */
  private boolean isBeforeRange(byte[] bound, byte[] key, int offset, int length) {
    int order = Arrays.compareUnsigned(key, offset, offset + length, bound, 0, bound.length);
    return step > 0 ? order < 0 : order >= 0;
  }

  private boolean position(byte[] key, int offset, int length, boolean exclusive) {
    int target = approached;
    approached = NOWHERE;
    if (target == NOWHERE) {
      target = fences.seek(key, offset, length);
      guess = fences.guessRank(target, fences.count(target), key, offset, length);
    }
    if (empty || isPastFarPage(target)) {
      return leave();
    }
    enter(target);
    try {
      if (guess >= 0 && isFoundNear(guess, key, offset, length, exclusive)) {
        return true;
      }
      rank = PageLayout.rank(buffer, start, count, key, offset, length);
      if (step < 0) {
        boolean included = !exclusive && rank < count && isAtRank(key, offset, length);
        rank -= included ? 0 : 1;
      }
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(target, e);
    }
    return settle();
  }

  private boolean isAtRank(byte[] key, int offset, int length) {
    int at = PageLayout.entryAtRank(buffer, start, count, rank);
    return PageLayout.compareKey(buffer, at, key, offset, length) == 0;
  }

  /**
   * Decodes entries on both sides of the key's estimated place. Their loads overlap, whereas each
   * step of a binary search would wait for the previous one. The scan uses the entries beyond the
   * key next. Returns false if the place of the key is not among the decoded entries.
   */
  private boolean isFoundNear(int guess, byte[] key, int offset, int length, boolean exclusive) {
    int begin = step > 0 ? Math.max(0, guess - NEAR) : Math.min(count - 1, guess + NEAR);
    int wanted = Math.min((limit - begin) * step, 2 * NEAR);
    if (wanted <= 0) {
      return false;
    }
    rank = begin;
    decode(wanted);
    int i = 0;
    while (i < wanted && isBefore(i, key, offset, length, exclusive)) {
      i++;
    }
    boolean beginsPage = begin == (step > 0 ? 0 : count - 1);
    if (i == wanted || (i == 0 && !beginsPage)) {
      return false;
    }
    at = i;
    load();
    return true;
  }

  /** Whether a decoded entry precedes a key in the cursor's direction. */
  private boolean isBefore(int i, byte[] key, int offset, int length, boolean exclusive) {
    int order = Long.compareUnsigned(prefixes[i], KeyOrder.prefix(key, offset, length));
    if (order == 0) {
      int at = entries[i];
      int keyAt = at + PageLayout.keyStart(heads[i]);
      int keyBytes = PageLayout.keyLength(heads[i]);
      order = -KeyOrder.compare(key, offset, length, buffer, keyAt, keyBytes);
    }
    return order == 0 ? exclusive : order * step < 0;
  }

  private boolean isPastFarPage(int target) {
    return orderToFarPage(target) > 0;
  }

  /** Returns a negative number if a page comes before the far page, and 0 if it is that page. */
  private int orderToFarPage(int target) {
    byte[] bound = step > 0 ? to : from;
    if (farPage == UNKNOWN && bound != null) {
      int next = step > 0 ? target + 1 : target;
      boolean isInside = next > 0 && next < fences.pageCount();
      if (isInside && fences.comparePrefix(next, bound) * step < 0) {
        return -1; // the range has room for keys on the other side of this fence
      }
      farPage = step > 0 ? fences.lastPage(range) : fences.firstPage(range);
    }
    return (target - farPage) * step;
  }

  @Override
  public boolean next() {
    if (++at < decoded) {
      load();
      return true;
    }
    return settle();
  }

  /** Decodes the next entries, from the nearest page with entries left. */
  private boolean settle() {
    while (page != NOWHERE) {
      int left = (limit - rank) * step;
      if (left > 0) {
        decode(Math.min(left, ahead));
        load();
        ahead = Math.min(AHEAD_MAX, 2 * ahead);
        return true;
      }
      if (orderToFarPage(page) == 0) {
        return leave();
      }
      enter(page + step);
      rank = step > 0 ? 0 : count - 1;
    }
    return leave();
  }

  private void enter(int target) {
    if (target != page) {
      leave();
      turnTo(target);
    }
    try {
      count = fences.count(target);
      byte[] bound = orderToFarPage(target) == 0 ? (step > 0 ? to : from) : null;
      if (bound == null) {
        limit = step > 0 ? count : -1;
      } else {
        int boundRank = PageLayout.rank(buffer, start, count, bound, 0, bound.length);
        limit = step > 0 ? boundRank : boundRank - 1;
      }
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(target, e);
    }
    page = target;
  }

  private boolean leave() {
    page = NOWHERE;
    decoded = 0;
    at = 0;
    return false;
  }

  private void decode(int wanted) {
    if (wanted > entries.length) {
      int room = wanted <= 2 * NEAR ? 2 * NEAR : AHEAD_MAX;
      entries = new int[room];
      heads = new long[room];
      prefixes = new long[room];
    }
    decoded = 0;
    try {
      for (int i = 0; i < wanted; i++) {
        int offset = PageLayout.entryAtRank(buffer, start, count, rank + i * step);
        long first = PageLayout.head(buffer, offset);
        int key = offset + PageLayout.keyStart(first);
        int length = PageLayout.keyLength(first);
        checkInside(page, offset, first);
        entries[i] = offset;
        heads[i] = first;
        prefixes[i] = KeyOrder.prefix(buffer, key, length);
      }
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
    rank += wanted * step;
    decoded = wanted;
    at = 0;
  }

  private void load() {
    stand(entries[at], heads[at], prefixes[at]);
  }
}
