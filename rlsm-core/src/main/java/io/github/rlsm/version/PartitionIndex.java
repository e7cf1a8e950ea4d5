// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import java.util.Arrays;
import java.util.List;

/**
 * An index of the partitions of level 1 by their smallest keys. Immutable.
 *
 * <p>A lookup is a binary search. It compares eight bytes of each smallest key, which lie in one
 * array. These bytes follow the prefix that all smallest keys share, because keys like
 * {@code user000…} differ late. Only if the eight bytes are equal does the search compare whole
 * keys.
 */
final class PartitionIndex {

  static final PartitionIndex EMPTY = new PartitionIndex(List.of());

  private final List<Partition> partitions;

  /** Smallest key of each partition; empty for a range without a lower end. */
  private final byte[][] smallest;

  /**
   * Index of the first partition in the search: 1 if the first partition has no lower end, else 0.
   */
  private final int firstKeyed;

  private final byte[] shared;

  /**
   * Eight bytes of each smallest key, with the sign bit flipped, so that signed order equals
   * unsigned order.
   */
  private final long[] prefixes;

  /**
   * Whether the next partition begins where this one ends. Then a lookup need not check the end.
   */
  private final boolean[] adjoined;

  /**
   * Creates an index of partitions.
   *
   * @param partitions in ascending order
   * @throws IllegalStateException if two partitions overlap or are out of order
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
    // The keys ascend, so a prefix of the first and the last key is a prefix of all keys.
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
      // Each direction is equally likely: use a conditional move, to avoid branch mispredictions.
      floor = prefixes[floor + half] <= prefix ? floor + half : floor;
      left -= half;
    }
    boolean equal = floor >= firstKeyed && prefixes[floor] == prefix;
    return equal ? floorByKey(floor, key, offset, length) : floor;
  }

  /** Like {@link #floor}, by comparing keys. The result is at most {@code high}. */
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
