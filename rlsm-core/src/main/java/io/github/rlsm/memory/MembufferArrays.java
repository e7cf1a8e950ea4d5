// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.Arrays;

/**
 * The arrays of a Membuffer, empty. They are large, so they are made, and made empty again, in the
 * background and ahead of time, not while a writer waits.
 *
 * @param references for each entry its newest version
 * @param slots the hash table
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record MembufferArrays(long[] references, long[] slots) {

  /** Arrays for that many entries, with two slots for each. */
  public static MembufferArrays forCapacity(int entries) {
    int slots = Integer.highestOneBit(Math.max(entries, 2) * 2 - 1) * 2;
    return new MembufferArrays(new long[entries], new long[slots]);
  }

  /** Entries there is room for. */
  public int capacity() {
    return references.length;
  }

  /** Empties arrays that nobody uses any more. */
  public void clear() {
    Arrays.fill(references, 0);
    Arrays.fill(slots, 0);
  }
}
