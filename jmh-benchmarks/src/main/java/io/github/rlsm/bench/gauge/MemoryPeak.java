// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

/**
 * The most memory seen in use, in bytes; -1 where the system does not tell.
 *
 * @param heap Java heap in use
 * @param anonymous resident memory that is not a mapped file: heap, native memory, stacks
 * @param resident resident memory, mapped files included
 * @param charged what the memory limit counts, page cache included; -1 too if there is no limit
 */
public record MemoryPeak(long heap, long anonymous, long resident, long charged) {

  static final MemoryPeak NONE = new MemoryPeak(-1, -1, -1, -1);

  MemoryPeak max(MemoryPeak other) {
    return new MemoryPeak(
        Math.max(heap, other.heap),
        Math.max(anonymous, other.anonymous),
        Math.max(resident, other.resident),
        Math.max(charged, other.charged));
  }
}
