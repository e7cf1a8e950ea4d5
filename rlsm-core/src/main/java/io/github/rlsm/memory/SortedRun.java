// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import java.util.Arrays;

/**
 * An immutable array of entry numbers in key order. Next to each number, the run holds the 8 key
 * bytes after the prefix that all its keys share. Most comparisons need only these bytes.
 *
 * @param common the prefix that all keys of the run share
 * @param prefixes for each entry, {@link KeyOrder#prefix} of the key's bytes after {@code common}
 * @param entries entry numbers in key order
 * @param size the number of elements in use in the arrays
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
record SortedRun(byte[] common, long[] prefixes, int[] entries, int size) {

  /** Returns {@link KeyOrder#prefix} of the whole key at a rank. */
  long keyPrefix(int rank) {
    int known = common.length;
    if (known >= Long.BYTES) {
      return KeyOrder.prefix(common, 0, known);
    }
    return known == 0
        ? prefixes[rank]
        : KeyOrder.prefix(common, 0, known) | (prefixes[rank] >>> (known * Byte.SIZE));
  }

  /**
   * Returns the rank of the first key at or after the given one; {@link #size} if there is none.
   */
  int lowerBound(KeySource keys, byte[] key, int offset, int length) {
    int shared = Math.min(common.length, length);
    int order = Arrays.compareUnsigned(key, offset, offset + shared, common, 0, shared);
    if (order != 0) {
      return order < 0 ? 0 : size;
    }
    if (length <= common.length) {
      return 0;
    }
    long prefix = KeyOrder.prefix(key, offset + common.length, length - common.length);
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long at = prefixes[middle];
      boolean before = at == prefix
          ? keys.compare(key, offset, length, entries[middle]) > 0
          : Long.compareUnsigned(at, prefix) < 0;
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the same run with a shorter common prefix, so that it can be merged with another run.
   */
  private SortedRun withCommon(int length) {
    if (length == common.length) {
      return this;
    }
    long[] longer = new long[size];
    int gained = common.length - length;
    long head = KeyOrder.prefix(common, length, gained);
    int shift = gained * Byte.SIZE;
    for (int i = 0; i < size; i++) {
      longer[i] = shift >= Long.SIZE ? head : head | prefixes[i] >>> shift;
    }
    return new SortedRun(Arrays.copyOf(common, length), longer, entries, size);
  }

  /** Merges two runs that have no entry in common. */
  static SortedRun merge(SortedRun first, SortedRun second, KeySource keys) {
    int mismatch = Arrays.mismatch(first.common, second.common);
    int length = mismatch < 0 ? first.common.length : mismatch;
    SortedRun a = first.withCommon(length);
    SortedRun b = second.withCommon(length);
    int size = a.size + b.size;
    long[] prefixes = new long[size];
    int[] entries = new int[size];
    int i = 0;
    int j = 0;
    for (int k = 0; k < size; k++) {
      boolean fromA = j == b.size || (i < a.size && a.isBefore(i, b, j, keys));
      prefixes[k] = fromA ? a.prefixes[i] : b.prefixes[j];
      entries[k] = fromA ? a.entries[i++] : b.entries[j++];
    }
    return new SortedRun(a.common, prefixes, entries, size);
  }

  private boolean isBefore(int i, SortedRun other, int j, KeySource keys) {
    long mine = prefixes[i];
    long theirs = other.prefixes[j];
    return mine == theirs
        ? keys.compare(entries[i], other.entries[j]) < 0
        : Long.compareUnsigned(mine, theirs) < 0;
  }

  long heapBytes() {
    return 8L * prefixes.length + 4L * entries.length;
  }
}
