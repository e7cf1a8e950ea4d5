// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.Arrays;

/**
 * Sorts entries by key: a radix sort over the 8 bytes after the keys' common prefix, then a second
 * sort of the entries for which those bytes are equal.
 *
 * <p>The radix sort skips a pass if all keys have the same byte there. A small group of equal
 * prefixes is sorted by comparison. A larger group is sorted recursively, from its own common
 * prefix on. The depth is limited, because adversarial keys could make each level remove only one
 * key.
 *
 * <p>The sort is stable: entries with the same key, of which at most one is alive, keep their
 * order.
 */
final class KeySort {

  private static final int RADIX = 256;
  private static final int SMALL = 24;
  private static final int DEPTH_MAX = 16;

  private final KeySource keys;

  KeySort(KeySource keys) {
    this.keys = keys;
  }

  /** Sorts the first {@code size} entries. May overwrite the array. */
  SortedRun sort(int[] entries, int size) {
    return sort(entries, size, 0);
  }

  private SortedRun sort(int[] entries, int size, int depth) {
    byte[] common = commonHead(entries, size);
    long[] prefixes = new long[size];
    for (int i = 0; i < size; i++) {
      prefixes[i] = keys.prefix(entries[i], common.length);
    }
    int[] sorted = entries.length == size ? entries : Arrays.copyOf(entries, size);
    if (size <= SMALL) {
      insertionSort(prefixes, sorted, 0, size);
      return new SortedRun(common, prefixes, sorted, size);
    }
    radixSort(prefixes, sorted);
    sortTies(prefixes, sorted, depth);
    return new SortedRun(common, prefixes, sorted, size);
  }

  private byte[] commonHead(int[] entries, int size) {
    if (size == 0) {
      return new byte[0];
    }
    byte[] head = keys.head(entries[0], keys.keyLength(entries[0]));
    int length = head.length;
    for (int i = 1; i < size && length > 0; i++) {
      length = keys.commonLength(head, length, entries[i]);
    }
    return Arrays.copyOf(head, length);
  }

  @SuppressWarnings("ReferenceEquality") // compares the identity of two arrays, not their content
  private static void radixSort(long[] prefixes, int[] entries) {
    int size = prefixes.length;
    int[] counts = new int[Long.BYTES * RADIX];
    for (long prefix : prefixes) {
      for (int digit = 0; digit < Long.BYTES; digit++) {
        counts[digit * RADIX + (int) (prefix >>> (digit * Byte.SIZE) & 0xFF)]++;
      }
    }
    long[] fromPrefixes = prefixes;
    int[] fromEntries = entries;
    long[] toPrefixes = new long[size];
    int[] toEntries = new int[size];
    for (int digit = 0; digit < Long.BYTES; digit++) {
      int shift = digit * Byte.SIZE;
      if (counts[digit * RADIX + (int) (prefixes[0] >>> shift & 0xFF)] == size) {
        continue;
      }
      startsFromCounts(counts, digit * RADIX);
      for (int i = 0; i < size; i++) {
        int to = counts[digit * RADIX + (int) (fromPrefixes[i] >>> shift & 0xFF)]++;
        toPrefixes[to] = fromPrefixes[i];
        toEntries[to] = fromEntries[i];
      }
      long[] p = fromPrefixes;
      fromPrefixes = toPrefixes;
      toPrefixes = p;
      int[] e = fromEntries;
      fromEntries = toEntries;
      toEntries = e;
    }
    if (fromPrefixes != prefixes) {
      System.arraycopy(fromPrefixes, 0, prefixes, 0, size);
      System.arraycopy(fromEntries, 0, entries, 0, size);
    }
  }

  private static void startsFromCounts(int[] counts, int offset) {
    int start = 0;
    for (int i = offset; i < offset + RADIX; i++) {
      int count = counts[i];
      counts[i] = start;
      start += count;
    }
  }

  private void sortTies(long[] prefixes, int[] entries, int depth) {
    int start = 0;
    for (int i = 1; i <= entries.length; i++) {
      if (i == entries.length || prefixes[i] != prefixes[start]) {
        if (i - start > 1) {
          sortGroup(prefixes, entries, start, i, depth);
        }
        start = i;
      }
    }
  }

  private void sortGroup(long[] prefixes, int[] entries, int from, int to, int depth) {
    if (to - from <= SMALL) {
      insertionSort(prefixes, entries, from, to);
    } else if (to - from == entries.length || depth == DEPTH_MAX) {
      // Either the depth limit is reached, or the whole run has one prefix although its common
      // prefix is shorter: one key ends there, and the others continue with zero bytes.
      Integer[] boxed = Arrays.stream(entries, from, to).boxed().toArray(Integer[]::new);
      Arrays.sort(boxed, keys::compare);
      for (int i = 0; i < boxed.length; i++) {
        entries[from + i] = boxed[i];
      }
    } else {
      SortedRun group = sort(Arrays.copyOfRange(entries, from, to), to - from, depth + 1);
      System.arraycopy(group.entries(), 0, entries, from, to - from);
    }
  }

  private void insertionSort(long[] prefixes, int[] entries, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long prefix = prefixes[i];
      int entry = entries[i];
      int j = i;
      while (j > from && isBefore(prefix, entry, prefixes[j - 1], entries[j - 1])) {
        prefixes[j] = prefixes[j - 1];
        entries[j] = entries[j - 1];
        j--;
      }
      prefixes[j] = prefix;
      entries[j] = entry;
    }
  }

  private boolean isBefore(long prefixA, int a, long prefixB, int b) {
    return prefixA == prefixB ? keys.compare(a, b) < 0 : Long.compareUnsigned(prefixA, prefixB) < 0;
  }
}
