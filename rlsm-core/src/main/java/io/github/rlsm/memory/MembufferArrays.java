// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.Arrays;

/**
 * The arrays of a Membuffer. They are large, so a background thread allocates them ahead of time
 * and clears them for reuse. No writer waits for either.
 *
 * @param references the newest version of each entry
 * @param slots the hash table
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record MembufferArrays(long[] references, long[] slots) {

  /** Allocates arrays for a number of entries, with at least two slots for each entry. */
  public static MembufferArrays forCapacity(int entries) {
    int slots = Integer.highestOneBit(Math.max(entries, 2) * 2 - 1) * 2;
    return new MembufferArrays(new long[entries], new long[slots]);
  }

  /** The number of entries that the arrays can hold. */
  public int capacity() {
    return references.length;
  }

  /** The heap bytes of the arrays. */
  public long heapBytes() {
    return (long) Long.BYTES * (references.length + slots.length);
  }

  /** Clears the arrays. No other thread may use them. */
  public void clear() {
    Arrays.fill(references, 0);
    Arrays.fill(slots, 0);
  }
}
