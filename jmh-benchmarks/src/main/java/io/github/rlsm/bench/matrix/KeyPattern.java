// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.workload.KeyOrder;

/** The keys that the phases of a row use. */
public enum KeyPattern {
  /** A load in random order, then uniform reads and overwrites. */
  RANDOM,
  /** The same load, then zipfian scans and overwrites. Other phases are in the row before. */
  ZIPFIAN,
  /** A load in the order of keys, then uniform reads and overwrites. */
  INCREASING;

  /** The order of the load. */
  KeyOrder order() {
    return this == INCREASING ? KeyOrder.INCREASING : KeyOrder.RANDOM;
  }
}
