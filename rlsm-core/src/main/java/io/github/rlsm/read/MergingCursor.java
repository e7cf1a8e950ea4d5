// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that merges several cursors and shows each key once. If several sources hold a key, the
 * source listed first wins. Tombstones are shown like other entries.
 *
 * <p>A binary heap orders the sources by their current keys. The first 8 bytes of each key are kept
 * beside the heap as a number that orders in the merge's direction. This number decides most
 * comparisons.
 *
 * <p>Level 1 takes part as {@link Groups}, so the cursors of its runs are in this heap directly. A
 * nested merge would pay for two heaps at every step. A source of a group whose keys all follow the
 * current key waits in the heap without a cursor, with the prefix of its first possible key. The
 * merge opens the source when it gets to the top of the heap. So a scan reads no page of a run that
 * it does not reach. Otherwise a scan would read a page of each run, even if their ranges are
 * disjoint.
 *
 * <p>Threads: one thread at a time.
 */
public final class MergingCursor implements EntryCursor {

  private static final int NO_GROUP = -1;

  private final Groups groups;
  private final Consumer<CursorEntry> shadowed;
  private final int ownCount;

  /** Maps the unsigned order of prefixes to the merge's direction, as signed numbers. */
  private final long direction;

  // Sources from newest to oldest: the merge's own sources, then the sources of the current group.
  // Null for a source that waits in the heap without a cursor.
  private @Nullable EntryCursor[] sources;
  private long[] prefixes;
  private int[] heap;
  private int size;

  /** Number of sources of the open group that are not exhausted; negative without a group. */
  private int groupLeft = NO_GROUP;

  /**
   * Creates a merge.
   *
   * @param sources newest first, all in the same direction
   */
  public MergingCursor(List<? extends EntryCursor> sources, boolean descending) {
    this(sources, Groups.NONE, descending, older -> {});
  }

  /**
   * Creates a merge that reports shadowed entries.
   *
   * @param shadowed receives each older version of a key, before its source advances
   */
  public MergingCursor(
      List<? extends EntryCursor> sources, boolean descending, Consumer<CursorEntry> shadowed) {
    this(sources, Groups.NONE, descending, shadowed);
  }

  /** Creates a merge of sources and of groups, which are older than all sources. */
  MergingCursor(List<? extends EntryCursor> sources, Groups groups, boolean descending) {
    this(sources, groups, descending, older -> {});
  }

  private MergingCursor(
      List<? extends EntryCursor> sources,
      Groups groups,
      boolean descending,
      Consumer<CursorEntry> shadowed) {
    this.groups = groups;
    this.shadowed = shadowed;
    this.ownCount = sources.size();
    this.direction = descending ? Long.MAX_VALUE : Long.MIN_VALUE;
    this.sources = sources.toArray(EntryCursor[]::new);
    this.prefixes = new long[ownCount];
    this.heap = new int[ownCount];
  }

  /** Returns a merge of the sources, or the source itself if there is only one. */
  public static EntryCursor of(List<? extends EntryCursor> sources, boolean descending) {
    return sources.size() == 1 ? sources.get(0) : new MergingCursor(sources, descending);
  }

  @Override
  public boolean seekFirst() {
    size = 0;
    for (int i = 0; i < ownCount; i++) {
      if (open(i).seekFirst()) {
        push(i);
      }
    }
    openFrom(groups.first());
    settle();
    return size > 0;
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    size = 0;
    int count = groups.seek(key, offset, length);
    take(count);
    approach(key, offset, length, ownCount + count);
    for (int i = 0; i < ownCount + count; i++) {
      EntryCursor cursor = sources[i];
      if (cursor != null && cursor.seek(key, offset, length)) {
        push(i);
        groupLeft += i < ownCount ? 0 : 1;
      }
    }
    settle();
    return size > 0;
  }

  /** Lets the sources approach a key, except those of the group that only have later keys. */
  private void approach(byte[] key, int offset, int length, int end) {
    long sought = KeyOrder.prefix(key, offset, length) ^ direction;
    for (int i = 0; i < end; i++) {
      byte[] start = i < ownCount ? null : groups.start(i - ownCount);
      long first = start == null ? sought : ordered(start);
      if (first > sought) {
        pushOfGroup(i, first);
      } else {
        open(i).approach(key, offset, length);
      }
    }
  }

  /** Takes the sources of a group. If all of them are empty, takes the next group with an entry. */
  private void openFrom(int first) {
    int count = first;
    take(count);
    while (groupLeft == 0 && count > 0) {
      for (int i = ownCount; i < ownCount + count; i++) {
        byte[] start = groups.start(i - ownCount);
        if (start != null) {
          pushOfGroup(i, ordered(start));
        } else if (open(i).seekFirst()) {
          pushOfGroup(i, ordered(cursor(i)));
        }
      }
      if (groupLeft == 0) {
        count = groups.next();
        take(count);
      }
    }
  }

  /** Replaces the sources of the previous group by sources without cursors. */
  private void take(int groupCount) {
    groupLeft = groupCount == 0 ? NO_GROUP : 0;
    int count = ownCount + groupCount;
    if (count > sources.length) {
      sources = Arrays.copyOf(sources, count);
      prefixes = Arrays.copyOf(prefixes, count);
      heap = Arrays.copyOf(heap, count);
    }
    Arrays.fill(sources, ownCount, sources.length, null);
  }

  /** Returns the cursor of a source, and creates it if necessary. */
  private EntryCursor open(int source) {
    EntryCursor cursor = sources[source];
    if (cursor == null) {
      cursor = groups.open(source - ownCount);
      sources[source] = cursor;
    }
    return cursor;
  }

  /**
   * Makes the top of the heap the current entry: takes the next group if the last one is exhausted,
   * and opens the top source until it has a cursor. A source without a cursor is before its first
   * key or at an equal prefix. So the prefixes of such sources are then after the current key's.
   */
  private void settle() {
    while (true) {
      if (groupLeft == 0) {
        openFrom(groups.next());
      }
      if (size == 0 || sources[heap[0]] != null) {
        return;
      }
      int source = heap[0];
      EntryCursor cursor = open(source);
      if (cursor.seekFirst()) {
        prefixes[source] = ordered(cursor);
        siftDown(0);
      } else {
        remove(0);
      }
    }
  }

  @Override
  public boolean next() {
    // Other sources at the current key hold older versions of it. They advance first, while the top
    // source still has the key to compare with.
    while (size > 1) {
      int child = size > 2 && isBefore(heap[2], heap[1]) ? 2 : 1;
      if (!isSameKey(heap[0], heap[child])) {
        break;
      }
      shadowed.accept(cursor(heap[child]).entry());
      advance(child);
    }
    advance(0);
    settle();
    return size > 0;
  }

  private void advance(int index) {
    int source = heap[index];
    EntryCursor cursor = cursor(source);
    if (cursor.next()) {
      prefixes[source] = ordered(cursor);
      siftDown(index);
    } else {
      remove(index);
    }
  }

  /** Removes an exhausted source. */
  private void remove(int index) {
    int source = heap[index];
    heap[index] = heap[--size];
    if (index < size) {
      siftDown(index);
    }
    groupLeft -= source >= ownCount ? 1 : 0;
  }

  /** Returns the cursor of a source that is open. */
  @SuppressWarnings("NullAway") // the callers know that it is open; a check would cost every step
  private EntryCursor cursor(int source) {
    return sources[source];
  }

  private long ordered(EntryCursor cursor) {
    return cursor.entry().keyPrefix() ^ direction;
  }

  private long ordered(byte[] key) {
    return KeyOrder.prefix(key, 0, key.length) ^ direction;
  }

  private void pushOfGroup(int source, long prefix) {
    push(source, prefix);
    groupLeft++;
  }

  private void push(int source) {
    push(source, ordered(cursor(source)));
  }

  private void push(int source, long prefix) {
    prefixes[source] = prefix;
    int at = size++;
    while (at > 0 && isBefore(source, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = source;
  }

  private void siftDown(int start) {
    int source = heap[start];
    int at = start;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], source)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = source;
  }

  private boolean isSameKey(int a, int b) {
    return prefixes[a] == prefixes[b] && compareKeys(a, b) == 0;
  }

  private boolean isBefore(int a, int b) {
    long x = prefixes[a];
    long y = prefixes[b];
    return x < y || (x == y && isBeforeByKey(a, b));
  }

  private boolean isBeforeByKey(int a, int b) {
    if (sources[a] == null || sources[b] == null) {
      // A source without a cursor comes first, so that it is opened before its keys are compared.
      return sources[a] == null && (sources[b] != null || a < b);
    }
    int order = compareKeys(a, b);
    if (order == 0) {
      return a < b;
    }
    return direction == Long.MIN_VALUE ? order < 0 : order > 0;
  }

  private int compareKeys(int a, int b) {
    CursorEntry x = cursor(a).entry();
    CursorEntry y = cursor(b).entry();
    return KeyOrder.compare(
        x.buffer(), x.keyOffset(), x.keyLength(), y.buffer(), y.keyOffset(), y.keyLength());
  }

  /** Returns the index of the source that has the current entry. */
  public int source() {
    return heap[0];
  }

  @Override
  public CursorEntry entry() {
    return cursor(heap[0]).entry();
  }

  /**
   * A sequence of groups of sources that a merge takes one at a time, when it reaches them. In the
   * merge's direction, all keys of a group are after the keys of the previous group. The sources of
   * a group are numbered from 0, newest first.
   *
   * <p>Threads: one thread at a time.
   */
  interface Groups {

    /** A sequence without groups. */
    Groups NONE = new Groups() {
      @Override
      public int seek(byte[] key, int offset, int length) {
        return 0;
      }

      @Override
      public int first() {
        return 0;
      }

      @Override
      public int next() {
        return 0;
      }

      @Override
      public byte @Nullable [] start(int source) {
        throw new IndexOutOfBoundsException(source);
      }

      @Override
      public EntryCursor open(int source) {
        throw new IndexOutOfBoundsException(source);
      }
    };

    /**
     * Moves to the first group, in the merge's direction, that may have an entry at or after the
     * key. Returns the number of its sources; sources that only have entries before the key may be
     * left out. Returns 0 if no such group exists.
     */
    int seek(byte[] key, int offset, int length);

    /** Moves to the first group. Returns the number of its sources; 0 if there is no group. */
    int first();

    /** Moves to the next group. Returns the number of its sources; 0 if there is none. */
    int next();

    /** A key that no key of the source precedes in the merge's direction; null for none. */
    byte @Nullable [] start(int source);

    /** Returns a new cursor over a source of the current group. It is not positioned yet. */
    EntryCursor open(int source);
  }
}
