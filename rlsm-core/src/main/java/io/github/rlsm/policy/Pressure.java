// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * The amount of pending work of a shard, from which the delays of writers are computed.
 *
 * @param backlog memory taken by entries that are not in L0 yet, in units of one memory component
 * @param l0Runs runs in L0
 * @param debtBytes bytes that compaction and cleaning are behind; see {@link CompactionDebt}
 * @param garbage how far the reclaiming of value segments is behind; 1 if the store takes as much
 *     space as it may; see {@link SpaceAmplificationBudget}
 */
public record Pressure(double backlog, int l0Runs, long debtBytes, double garbage) {

  /** Creates a pressure without garbage. */
  public Pressure(double backlog, int l0Runs, long debtBytes) {
    this(backlog, l0Runs, debtBytes, 0);
  }

  /** This pressure with another value for garbage. */
  public Pressure withGarbage(double share) {
    return new Pressure(backlog, l0Runs, debtBytes, share);
  }

  /** This pressure with another backlog. */
  public Pressure withBacklog(double components) {
    return new Pressure(components, l0Runs, debtBytes, garbage);
  }

  /** Checks that no figure is negative. */
  public Pressure {
    if (!(backlog >= 0) || l0Runs < 0 || debtBytes < 0 || !(garbage >= 0)) {
      throw new IllegalArgumentException("negative pressure: " + backlog + " components unflushed, "
          + l0Runs + " runs, " + debtBytes + " bytes of debt, garbage " + garbage);
    }
  }
}
