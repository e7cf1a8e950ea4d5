// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How much work lies before a shard, as its writers see it.
 *
 * @param backlog how many memory components' room is taken by what is not in L0 yet
 * @param l0Runs runs in L0
 * @param debtBytes bytes that compaction and cleaning are behind; see {@link CompactionDebt}
 * @param garbage how far the freeing of value segments is behind, 1 when the store takes as much
 *     space as it may; see {@link GarbageRoom}
 */
public record Pressure(double backlog, int l0Runs, long debtBytes, double garbage) {

  /** Pressure without garbage. */
  public Pressure(double backlog, int l0Runs, long debtBytes) {
    this(backlog, l0Runs, debtBytes, 0);
  }

  /** The same with so much garbage. */
  public Pressure withGarbage(double share) {
    return new Pressure(backlog, l0Runs, debtBytes, share);
  }

  /** The same with another backlog. */
  public Pressure withBacklog(double components) {
    return new Pressure(components, l0Runs, debtBytes, garbage);
  }

  /** Checks that nothing is negative. */
  public Pressure {
    if (!(backlog >= 0) || l0Runs < 0 || debtBytes < 0 || !(garbage >= 0)) {
      throw new IllegalArgumentException(backlog + " components unflushed, " + l0Runs + " runs, "
          + debtBytes + " bytes of debt, garbage " + garbage);
    }
  }
}
