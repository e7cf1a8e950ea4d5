// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

/**
 * Peak memory use in bytes; -1 for figures that the system does not report.
 *
 * @param heap Java heap in use
 * @param anonymous resident memory without mapped files: heap, native memory, stacks
 * @param resident resident memory, including mapped files
 * @param charged memory that counts against the limit, including page cache; -1 without a limit
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
