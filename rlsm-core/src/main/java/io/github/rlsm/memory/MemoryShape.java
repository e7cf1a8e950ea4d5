// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * The parameters of a memory component.
 *
 * @param kind the kind of Memtable
 * @param capacity the number of entry numbers that can be claimed
 * @param drainBatch the number of entries from which a background drain is worthwhile
 * @param seed the random seed for node heights in the multi-insert skip list
 */
public record MemoryShape(MemtableStructure kind, int capacity, int drainBatch, long seed) {

  /** Returns the same shape with another capacity. */
  public MemoryShape withCapacity(int entries) {
    return new MemoryShape(kind, entries, drainBatch, seed);
  }
}
