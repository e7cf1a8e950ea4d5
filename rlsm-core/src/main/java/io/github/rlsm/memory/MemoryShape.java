// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * How a memory component is made.
 *
 * @param kind the sorted tier
 * @param capacity entry numbers that can be claimed
 * @param drainBatch entries after which draining in the background pays
 * @param seed for the multi-insert skip list's heights
 */
public record MemoryShape(MemtableKind kind, int capacity, int drainBatch, long seed) {

  /** The same with another capacity. */
  public MemoryShape withCapacity(int entries) {
    return new MemoryShape(kind, entries, drainBatch, seed);
  }
}
