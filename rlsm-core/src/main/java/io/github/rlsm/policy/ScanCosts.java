// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * What scans have paid for not finding entries side by side.
 *
 * <p>Each run beyond the first at the key where a scan begins is one more seek, and one more page
 * read for what may be a few of its entries; runs side by side cost nothing. Each small value that
 * is not in memory is a seek of its own where values stand in the order in which they were written.
 *
 * <p>Counts may miss some. Implementations are safe for any thread.
 */
public interface ScanCosts {

  /**
   * Length up to which a value is worth a place beside its neighbours in key order. A longer one
   * takes more time to transfer than to find, wherever it stands.
   */
  int STRAY_BYTES_MAX = 4 << 10;

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

    @Override
    public long strayValues(PartitionShape partition) {
      return 0;
    }
  };

  /** Seeks beyond the first of each scan, since the partition has had these runs. */
  long extraSeeks(PartitionShape partition);

  /** Seeks in runs of L0 since it has had these runs. */
  long l0Seeks();

  /**
   * Reads from the device that values of no more than {@link #STRAY_BYTES_MAX} bytes cost because
   * they do not stand in the order of their keys, since the partition has had these runs or others
   * cut out of them.
   */
  long strayValues(PartitionShape partition);
}
