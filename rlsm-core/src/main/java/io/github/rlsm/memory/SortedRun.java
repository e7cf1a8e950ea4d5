// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import java.util.Arrays;

/**
 * Entries in key order, immutable: their numbers, and beside each number the 8 bytes of its key
 * that follow what all keys of the run have in common. Most comparisons need no more than those.
 *
 * @param common the bytes that all keys of the run begin with
 * @param prefixes for each entry {@link KeyOrder#prefix} of the key's bytes after the common ones
 * @param entries entry numbers in key order
 * @param size how many of the arrays' elements count
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
record SortedRun(byte[] common, long[] prefixes, int[] entries, int size) {

  /** {@link KeyOrder#prefix} of the whole key of the entry at a rank. */
  long keyPrefix(int rank) {
    int known = common.length;
    if (known >= Long.BYTES) {
      return KeyOrder.prefix(common, 0, known);
    }
    return known == 0
        ? prefixes[rank]
        : KeyOrder.prefix(common, 0, known) | (prefixes[rank] >>> (known * Byte.SIZE));
  }

  /** The rank of the first key that is not before the given one; {@link #size} if there is none. */
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

  /** The same run with fewer bytes taken as common, so that it can be merged with another. */
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

  /** Merges two runs without an entry in common. */
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
