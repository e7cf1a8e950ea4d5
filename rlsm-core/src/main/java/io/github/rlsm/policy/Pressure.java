// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How much work lies before a shard, as its writers see it.
 *
 * @param unflushedBytes bytes in memory that are not in L0 yet
 * @param l0Runs runs in L0
 * @param debtBytes bytes that compaction and cleaning are behind; see {@link CompactionDebt}
 */
public record Pressure(long unflushedBytes, int l0Runs, long debtBytes) {

  /** Checks that nothing is negative. */
  public Pressure {
    if (unflushedBytes < 0 || l0Runs < 0 || debtBytes < 0) {
      throw new IllegalArgumentException(unflushedBytes + " unflushed bytes, " + l0Runs + " runs, "
          + debtBytes + " bytes of debt");
    }
  }
}
