// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * Counts the extra costs of scans whose entries are not adjacent on the device.
 *
 * <p>Each run beyond the first at the key where a scan begins is one more seek. It is also one more
 * page read, perhaps for few of its entries. Runs without overlap cost nothing. A seek whose page
 * is in memory takes less time than the rewrite of a page, and counts for a part of one. Each small
 * value that is not in memory is a separate seek if values are in write order.
 *
 * <p>Counts can be too low. Implementations are thread-safe.
 */
public interface ScanCosts {

  /**
   * The longest value, in bytes, that is worth a place next to its neighbours in key order. A
   * longer value takes more time to transfer than to find, at any place.
   */
  int STRAY_BYTES_MAX = 4 << 10;

  /** No scans. */
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

  /** Seeks beyond the first of each scan, since the partition got its present runs. */
  long extraSeeks(PartitionShape partition);

  /** Seeks in runs of L0, since L0 got its present runs. */
  long l0Seeks();

  /**
   * Device reads for values of up to {@link #STRAY_BYTES_MAX} bytes that were necessary because the
   * values are not in key order. The count starts when the partition got its present runs, or the
   * runs that they were cut out of.
   */
  long strayValues(PartitionShape partition);
}
