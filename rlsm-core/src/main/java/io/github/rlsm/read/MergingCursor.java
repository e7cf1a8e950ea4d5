// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Several cursors as one, each key once: where sources hold the same key, the one named first
 * counts. Tombstones are entries like others here.
 *
 * <p>A binary heap of sources by their current keys; the key's first 8 bytes are kept beside it,
 * and mostly decide.
 *
 * <p>Threads: one thread at a time.
 */
public final class MergingCursor implements EntryCursor {

  private final EntryCursor[] sources;
  private final boolean descending;
  private final long[] prefixes;
  private final int[] heap;
  private final Consumer<EntryCursor> shadowed;
  private int size;

  /**
   * A merge.
   *
   * @param sources newest first, all running in the same direction
   */
  public MergingCursor(List<? extends EntryCursor> sources, boolean descending) {
    this(sources, descending, older -> {});
  }

  /**
   * A merge that tells what it leaves out.
   *
   * @param shadowed is given each source that stands on an older version of a key, before it moves
   *     on
   */
  public MergingCursor(
      List<? extends EntryCursor> sources, boolean descending, Consumer<EntryCursor> shadowed) {
    this.shadowed = shadowed;
    this.sources = sources.toArray(EntryCursor[]::new);
    this.descending = descending;
    this.prefixes = new long[this.sources.length];
    this.heap = new int[this.sources.length];
  }

  /** One cursor for the sources: the only one itself, if there is only one. */
  public static EntryCursor of(List<? extends EntryCursor> sources, boolean descending) {
    return sources.size() == 1 ? sources.get(0) : new MergingCursor(sources, descending);
  }

  @Override
  public boolean seekFirst() {
    size = 0;
    for (int i = 0; i < sources.length; i++) {
      if (sources[i].seekFirst()) {
        push(i);
      }
    }
    return size > 0;
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    size = 0;
    for (int i = 0; i < sources.length; i++) {
      if (sources[i].seek(key, offset, length)) {
        push(i);
      }
    }
    return size > 0;
  }

  @Override
  public boolean next() {
    // Every other source that stands on the key just left stands there with an older version. They
    // are
    // moved on first, while the top still holds the key to compare with.
    while (size > 1 && isSameKey(heap[0], smallerChild())) {
      shadowed.accept(sources[smallerChild()]);
      advance(childIndex());
    }
    advance(0);
    return size > 0;
  }

  private int childIndex() {
    return size > 2 && isBefore(heap[2], heap[1]) ? 2 : 1;
  }

  private int smallerChild() {
    return heap[childIndex()];
  }

  private void advance(int index) {
    int source = heap[index];
    if (sources[source].next()) {
      prefixes[source] = sources[source].keyPrefix();
    } else {
      heap[index] = heap[--size];
      if (index == size) {
        return;
      }
    }
    siftDown(index);
  }

  private void push(int source) {
    prefixes[source] = sources[source].keyPrefix();
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
    int order = prefixes[a] == prefixes[b]
        ? compareKeys(a, b)
        : Long.compareUnsigned(prefixes[a], prefixes[b]);
    if (order == 0) {
      return a < b;
    }
    return descending ? order > 0 : order < 0;
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

  @Override
  public EntryCursor leaf() {
    return top().leaf();
  }

  @Override
  public long keyPrefix() {
    return prefixes[heap[0]];
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
}
