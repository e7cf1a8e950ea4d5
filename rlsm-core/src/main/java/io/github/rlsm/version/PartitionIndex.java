// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import java.util.Arrays;
import java.util.List;

/**
 * The partitions of level 1, found by key: the index tree over their smallest keys. Immutable.
 *
 * <p>The tree is the implicit one of a binary search. What it compares are eight bytes of each
 * smallest key, kept side by side in one array; they are taken after the prefix that all smallest
 * keys share, because keys like {@code user000…} differ late. Only equal eight bytes make it look
 * at a key itself.
 */
final class PartitionIndex {

  static final PartitionIndex EMPTY = new PartitionIndex(List.of());

  private final List<Partition> partitions;

  /** Smallest key of each partition; empty for a range without a lower end. */
  private final byte[][] smallest;

  /** Index of the first partition whose smallest key takes part in the search: 0 or 1. */
  private final int firstKeyed;

  private final byte[] shared;

  /**
   * Eight bytes of each smallest key, with the sign bit flipped: unsigned order is signed order.
   */
  private final long[] prefixes;

  /** Whether the next partition begins where this one ends, so that the floor is the answer. */
  private final boolean[] adjoined;

  /**
   * @param partitions in ascending order
   * @throws IllegalStateException if two of them overlap or are out of order
   */
  PartitionIndex(List<Partition> partitions) {
    this.partitions = List.copyOf(partitions);
    int count = this.partitions.size();
    smallest = new byte[count][];
    for (int i = 0; i < count; i++) {
      byte[] from = this.partitions.get(i).range().from();
      smallest[i] = from == null ? new byte[0] : from;
      if (i > 0) {
        checkAscending(this.partitions.get(i - 1), this.partitions.get(i));
      }
    }
    firstKeyed = count > 0 && smallest[0].length == 0 ? 1 : 0;
    shared = sharedPrefix();
    prefixes = new long[count];
    adjoined = new boolean[count];
    for (int i = firstKeyed; i < count; i++) {
      prefixes[i] = prefix(smallest[i], shared.length, smallest[i].length - shared.length);
    }
    for (int i = 1; i < count; i++) {
      adjoined[i - 1] = Arrays.equals(this.partitions.get(i - 1).range().to(), smallest[i]);
    }
  }

  private static long prefix(byte[] key, int offset, int length) {
    return KeyOrder.prefix(key, offset, length) ^ Long.MIN_VALUE;
  }

  private static void checkAscending(Partition lower, Partition upper) {
    byte[] end = lower.range().to();
    byte[] start = upper.range().from();
    if (end == null || start == null || Arrays.compareUnsigned(end, start) > 0) {
      throw new IllegalStateException(
          "partitions overlap: " + lower.range() + " and " + upper.range());
    }
  }

  private byte[] sharedPrefix() {
    int last = smallest.length - 1;
    if (firstKeyed > last) {
      return new byte[0];
    }
    // In ascending order, what the first and the last key share is shared by all between them.
    byte[] first = smallest[firstKeyed];
    int mismatch = Arrays.mismatch(first, smallest[last]);
    return mismatch < 0 ? first : Arrays.copyOf(first, mismatch);
  }

  List<Partition> partitions() {
    return partitions;
  }

  /** Index of the partition whose range holds the key; -1 if there is none. */
  int find(byte[] key, int offset, int length) {
    int floor = floor(key, offset, length);
    if (floor < 0 || adjoined[floor]) {
      return floor;
    }
    byte[] to = partitions.get(floor).range().to();
    return to == null || KeyOrder.compare(key, offset, length, to, 0, to.length) < 0 ? floor : -1;
  }

  /** Index of the last partition whose smallest key is not after the key; -1 if there is none. */
  int floor(byte[] key, int offset, int length) {
    int common = Math.min(length, shared.length);
    int order = KeyOrder.compare(key, offset, common, shared, 0, shared.length);
    if (order != 0) {
      return order < 0 ? firstKeyed - 1 : smallest.length - 1;
    }
    long prefix = prefix(key, offset + common, length - common);
    int floor = firstKeyed - 1;
    for (int left = smallest.length - firstKeyed; left > 0; ) {
      int half = (left + 1) >>> 1;
      // Half of all keys go either way: a conditional move instead of a branch mispredicted.
      floor = prefixes[floor + half] <= prefix ? floor + half : floor;
      left -= half;
    }
    boolean equal = floor >= firstKeyed && prefixes[floor] == prefix;
    return equal ? floorByKey(floor, key, offset, length) : floor;
  }

  /** As {@link #floor}, by comparing keys, given that the answer is at most {@code high}. */
  private int floorByKey(int high, byte[] key, int offset, int length) {
    int low = firstKeyed;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] bound = smallest[middle];
      if (KeyOrder.compare(bound, 0, bound.length, key, offset, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** Index of the partition over exactly this range; -1 if there is none. */
  int indexOf(KeyRange range) {
    byte[] from = range.from() == null ? new byte[0] : range.from();
    int floor = floor(from, 0, from.length);
    return floor >= 0 && partitions.get(floor).range().equals(range) ? floor : -1;
  }
}
