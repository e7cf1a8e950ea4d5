// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cursor that merges several cursors and shows each key once. If several sources hold a key, the
 * source listed first wins. Tombstones are shown like other entries.
 *
 * <p>A binary heap orders the sources by their current keys. The first 8 bytes of each key are kept
 * beside the heap as a number that orders in the merge's direction. This number decides most
 * comparisons.
 *
 * <p>Level 1 takes part as {@link Groups}, so the cursors of its runs are in this heap directly. A
 * nested merge would pay for two heaps at every step.
 *
 * <p>Threads: one thread at a time.
 */
public final class MergingCursor implements EntryCursor {

  private final Groups groups;
  private final Consumer<EntryCursor> shadowed;
  private final int ownCount;

  /** Maps the unsigned order of prefixes to the merge's direction, as signed numbers. */
  private final long direction;

  // Sources from newest to oldest: the merge's own sources, then the cursors of the open group.
  private EntryCursor[] sources;
  private long[] prefixes;
  private int[] heap;
  private int size;

  /** Number of cursors of the open group that are not exhausted. */
  private int groupLeft;

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
   * @param shadowed receives each source that is positioned at an older version of a key, before
   *     the source advances
   */
  public MergingCursor(
      List<? extends EntryCursor> sources, boolean descending, Consumer<EntryCursor> shadowed) {
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
      Consumer<EntryCursor> shadowed) {
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
      if (sources[i].seekFirst()) {
        push(i);
      }
    }
    openFrom(groups.first());
    return size > 0;
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    size = 0;
    for (int i = 0; i < ownCount; i++) {
      if (sources[i].seek(key, offset, length)) {
        push(i);
      }
    }
    List<EntryCursor> group = groups.seek(key, offset, length);
    take(group);
    for (int i = ownCount; i < ownCount + group.size(); i++) {
      if (sources[i].seek(key, offset, length)) {
        push(i);
        groupLeft++;
      }
    }
    if (groupLeft == 0 && !group.isEmpty()) {
      openFrom(groups.next());
    }
    return size > 0;
  }

  /** Opens a group. If all its cursors are empty, opens the next group with an entry. */
  private void openFrom(List<EntryCursor> first) {
    List<EntryCursor> group = first;
    take(group);
    while (groupLeft == 0 && !group.isEmpty()) {
      for (int i = ownCount; i < ownCount + group.size(); i++) {
        if (sources[i].seekFirst()) {
          push(i);
          groupLeft++;
        }
      }
      if (groupLeft == 0) {
        group = groups.next();
        take(group);
      }
    }
  }

  /** Replaces the cursors of the previous group by cursors that are not positioned yet. */
  private void take(List<EntryCursor> group) {
    groupLeft = 0;
    int count = ownCount + group.size();
    if (count > sources.length) {
      sources = Arrays.copyOf(sources, count);
      prefixes = Arrays.copyOf(prefixes, count);
      heap = Arrays.copyOf(heap, count);
    }
    for (int i = 0; i < group.size(); i++) {
      sources[ownCount + i] = group.get(i);
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
      shadowed.accept(sources[heap[child]]);
      advance(child);
    }
    advance(0);
    return size > 0;
  }

  private void advance(int index) {
    int source = heap[index];
    EntryCursor cursor = sources[source];
    if (cursor.next()) {
      prefixes[source] = ordered(cursor);
      siftDown(index);
      return;
    }
    heap[index] = heap[--size];
    if (index < size) {
      siftDown(index);
    }
    if (source >= ownCount && --groupLeft == 0) {
      openFrom(groups.next());
    }
  }

  private long ordered(EntryCursor cursor) {
    return cursor.keyPrefix() ^ direction;
  }

  private void push(int source) {
    prefixes[source] = ordered(sources[source]);
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
    int order = compareKeys(a, b);
    if (order == 0) {
      return a < b;
    }
    return direction == Long.MIN_VALUE ? order < 0 : order > 0;
  }

  private int compareKeys(int a, int b) {
    EntryCursor x = sources[a];
    EntryCursor y = sources[b];
    return KeyOrder.compare(
        x.keyBuffer(), x.keyOffset(), x.keyLength(), y.keyBuffer(), y.keyOffset(), y.keyLength());
  }

  private EntryCursor top() {
    return sources[heap[0]];
  }

  /** Returns the index of the source that has the current entry. */
  public int source() {
    return heap[0];
  }

  @Override
  public EntryCursor leaf() {
    return top().leaf();
  }

  @Override
  public long keyPrefix() {
    return top().keyPrefix();
  }

  @Override
  public ByteBuffer keyBuffer() {
    return top().keyBuffer();
  }

  @Override
  public int keyOffset() {
    return top().keyOffset();
  }

  @Override
  public int keyLength() {
    return top().keyLength();
  }

  @Override
  public int kind() {
    return top().kind();
  }

  @Override
  public long seqno() {
    return top().seqno();
  }

  @Override
  public ByteBuffer valueBuffer() {
    return top().valueBuffer();
  }

  @Override
  public int valueOffset() {
    return top().valueOffset();
  }

  @Override
  public int valueLength() {
    return top().valueLength();
  }

  /**
   * A sequence of cursor groups that a merge opens one at a time, when it reaches them. In the
   * merge's direction, all keys of a group are after the keys of the previous group.
   *
   * <p>Threads: one thread at a time.
   */
  interface Groups {

    /** A sequence without groups. */
    Groups NONE = new Groups() {
      @Override
      public List<EntryCursor> seek(byte[] key, int offset, int length) {
        return List.of();
      }

      @Override
      public List<EntryCursor> first() {
        return List.of();
      }

      @Override
      public List<EntryCursor> next() {
        return List.of();
      }
    };

    /**
     * Returns the cursors of the first group, in the merge's direction, that may have an entry at
     * or after the key. The cursors are ordered newest first and are not positioned yet. The list
     * is empty if no such group exists.
     */
    List<EntryCursor> seek(byte[] key, int offset, int length);

    /** Returns the cursors of the first group, as {@link #seek} does. */
    List<EntryCursor> first();

    /** Returns the cursors of the group after the last one returned. */
    List<EntryCursor> next();
  }
}
