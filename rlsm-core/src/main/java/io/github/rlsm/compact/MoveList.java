// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.Plan;
import java.util.Arrays;

/**
 * A list of values to be moved. They are added in key order. For each new segment they are visited
 * in the order of their old places. Each value takes about 50 bytes of memory in addition to its
 * key. When the values are copied, the list is used again.
 *
 * <p>Threads: one thread adds. Afterwards several threads may visit values of different new
 * segments.
 */
final class MoveList {

  private static final int INDEX_BITS = 18;
  private static final int UNIT_BITS = 28;
  private static final int UNIT = 8;

  private static final int COUNT_MAX = 1 << INDEX_BITS;
  private static final int KEY_BYTES_MAX = 32 << 20;

  /**
   * Sorted by place: the old segment's index, the offset there in units, the index in key order.
   */
  private long[] order = new long[1024];

  private long[] seqnos = new long[1024];
  private int[] valueLengths = new int[1024];

  /** The index of the new segment, and the offset in it. */
  private int[] targets = new int[1024];

  private int[] offsets = new int[1024];
  private boolean[] inBatch = new boolean[1024];
  private int[] keyEnds = new int[1024];
  private byte[] keys = new byte[16 << 10];
  private int count;

  /** Whether no value can be added before the list is cleared. */
  boolean isFull() {
    return count == COUNT_MAX || (count > 0 && keyEnds[count - 1] > KEY_BYTES_MAX);
  }

  /** Removes all values. The list keeps its memory. */
  void clear() {
    count = 0;
  }

  /**
   * Adds the value of the entry that a cursor is on.
   *
   * @param old the value's old place
   * @param segment index of its old segment, less than {@link Plan.Clean.Move#SEGMENTS_MAX}
   * @param target index of its new segment
   * @param offset its offset in the new segment
   */
  void add(EntryCursor entry, ValuePointer old, int segment, int target, int offset) {
    ensure(entry.keyLength());
    int keyStart = count == 0 ? 0 : keyEnds[count - 1];
    entry.keyBuffer().get(entry.keyOffset(), keys, keyStart, entry.keyLength());
    keyEnds[count] = keyStart + entry.keyLength();
    long unit = old.offset() / UNIT;
    order[count] = ((long) segment << (UNIT_BITS + INDEX_BITS)) | (unit << INDEX_BITS) | count;
    seqnos[count] = entry.seqno();
    valueLengths[count] = old.valueLength();
    inBatch[count] = old.inBatch();
    targets[count] = target;
    offsets[count] = offset;
    count++;
  }

  private void ensure(int keyLength) {
    if (count == order.length) {
      int longer = Math.min(COUNT_MAX, 2 * count);
      order = Arrays.copyOf(order, longer);
      seqnos = Arrays.copyOf(seqnos, longer);
      valueLengths = Arrays.copyOf(valueLengths, longer);
      targets = Arrays.copyOf(targets, longer);
      offsets = Arrays.copyOf(offsets, longer);
      inBatch = Arrays.copyOf(inBatch, longer);
      keyEnds = Arrays.copyOf(keyEnds, longer);
    }
    int end = (count == 0 ? 0 : keyEnds[count - 1]) + keyLength;
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, (int) Math.min(Integer.MAX_VALUE - 8, 2L * end)));
    }
  }

  /**
   * The rank after the last value of a new segment, once all values are added. The values of a new
   * segment are adjacent, since they are added in key order.
   */
  int endOfTarget(int target) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (targets[middle] <= target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sorts the values of adjacent new segments by their old places. */
  void sort(int from, int to) {
    Arrays.sort(order, from, to);
  }

  private int index(int rank) {
    return (int) order[rank] & (COUNT_MAX - 1);
  }

  /**
   * The index of a value's old segment.
   *
   * @param rank the value's position in the order of visits
   */
  int segment(int rank) {
    return (int) (order[rank] >>> (UNIT_BITS + INDEX_BITS));
  }

  /** The value's offset in its old segment. */
  int oldOffset(int rank) {
    return (int) ((order[rank] >>> INDEX_BITS) & ((1 << UNIT_BITS) - 1)) * UNIT;
  }

  /** The index of a value's new segment. */
  int target(int rank) {
    return targets[index(rank)];
  }

  boolean isInBatch(int rank) {
    return inBatch[index(rank)];
  }

  long seqno(int rank) {
    return seqnos[index(rank)];
  }

  int valueLength(int rank) {
    return valueLengths[index(rank)];
  }

  int offset(int rank) {
    return offsets[index(rank)];
  }

  /** The array of all keys. */
  byte[] keys() {
    return keys;
  }

  int keyOffset(int rank) {
    int index = index(rank);
    return index == 0 ? 0 : keyEnds[index - 1];
  }

  int keyLength(int rank) {
    return keyEnds[index(rank)] - keyOffset(rank);
  }
}
