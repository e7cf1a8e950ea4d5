// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * What scans have paid for finding more than one run at the key where they began: each run beyond
 * the first is one more seek, and one more page read for what may be a few of its entries. Runs
 * side by side cost nothing. Counts may miss some. Implementations are safe for any thread.
 */
public interface ScanCosts {

  /** Nobody scans. */
  ScanCosts NONE = new ScanCosts() {
    @Override
    public long extraSeeks(PartitionShape partition) {
      return 0;
    }

    @Override
    public long l0Seeks() {
      return 0;
    }
  };

  /** Seeks beyond the first of each scan, since the partition has had these runs. */
  long extraSeeks(PartitionShape partition);

  /** Seeks in runs of L0 since it has had these runs. */
  long l0Seeks();
}
